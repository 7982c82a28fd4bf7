import { checkLabel } from '@inventory-manager/contract/labels/check-label'
import { maxLabelsPerJob } from '@inventory-manager/contract/labels/limits'
import { charactersWithoutFont } from '@inventory-manager/contract/labels/label-letters'
import type { LabelItem } from '@inventory-manager/contract/labels/layout'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { countPages } from '@inventory-manager/contract/labels/sheets'
import { howMany } from '@inventory-manager/contract/numbers'
import { useMemo, type ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { useAllowance } from './allowance.ts'
import type { PrintChoice, Printing } from './print-choice.ts'
import type { JobProgress } from './use-label-job.ts'

type Refused = { barcode: string; message: string }

/** What cannot be printed as chosen, and why, before anything is sent. */
export function useRefusals(
  items: readonly { barcode: string }[],
  { size, symbology }: Pick<PrintChoice, 'size' | 'symbology'>,
): Refused[] {
  return useMemo(
    () =>
      items.flatMap(({ barcode }) => {
        const refusal = checkLabel(barcode, size, symbology)
        return refusal === null ? [] : [{ barcode, message: refusal.message }]
      }),
    [items, size, symbology],
  )
}

const mostShown = 50

/** The labels that cannot be printed, with the size that would fit, and what to do about them. */
export function RefusalList({ refusals, action }: { refusals: readonly Refused[]; action?: ReactNode }) {
  if (refusals.length === 0) return null
  const hidden = refusals.length - mostShown
  return (
    <div role="alert" className="rounded-card border border-bad/40 bg-bad-soft p-3 text-sm text-bad-text">
      <p className="font-medium">{howMany(refusals.length, 'label')} cannot be printed:</p>
      <div role="region" aria-label="Reasons" tabIndex={0} className="mt-1 max-h-40 overflow-auto">
        <ul className="list-disc pl-5 [overflow-wrap:anywhere]">
          {refusals.slice(0, mostShown).map(({ barcode, message }) => (
            <li key={barcode}>{message}</li>
          ))}
          {hidden > 0 && <li>And {formatNumber(hidden)} more.</li>}
        </ul>
      </div>
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  )
}

function pagesText({ choice, sheet }: Printing, labels: number): string {
  if (choice.page === 'roll' || sheet.cells.length === 0) return ''
  return ` on ${howMany(countPages(labels, choice.first, sheet), 'page')}`
}

/** Why so many labels cannot be made; null where they can. */
function excessOf(labels: number, left: number): string | null {
  if (labels > maxLabelsPerJob) return `One file holds at most ${formatNumber(maxLabelsPerJob)} labels.`
  if (labels > left) return `These are ${formatNumber(labels - left)} more than are left this month.`
  return null
}

/** How many labels these are, and what is left of the month's allowance. */
export function JobSummary({ printing, labels }: { printing: Printing; labels: number }) {
  const allowance = useAllowance()
  const left = allowance === undefined || allowance === 'unlimited' ? Infinity : allowance.left
  const excess = excessOf(labels, left)
  return (
    // Room for all three lines: what is said of so many copies must not move the button that is about to be pressed.
    <div className="flex min-h-16 flex-col gap-0.5 text-sm" aria-live="polite">
      <p className="font-medium">
        {howMany(labels, 'label')}
        {pagesText(printing, labels)}
      </p>
      {allowance !== undefined && (
        <p className="text-muted">
          {allowance === 'unlimited'
            ? 'Your plan has no limit of labels.'
            : `${formatNumber(allowance.left)} of ${formatNumber(allowance.limit)} labels are left this month.`}
        </p>
      )}
      {excess !== null && <p className="text-bad-text">{excess}</p>}
    </div>
  )
}

/** What of all labels becomes boxes, also where the one that is shown has none. */
export function NoLetters({ items }: { items: readonly LabelItem[] }) {
  const lacking = useMemo(
    () => charactersWithoutFont(items.map(({ description }) => description ?? '')),
    [items],
  )
  if (lacking.length === 0) return null
  return <p className="text-sm text-warn-text">{labelMessages.noLetters(lacking)}</p>
}

/** How far the file is, with a way to stop it. */
export function JobProgressBar({ progress, onCancel }: { progress: JobProgress; onCancel: () => void }) {
  const { made, labels } = progress
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm tabular-nums">
        {formatNumber(made)} of {formatNumber(labels)} labels
      </p>
      <ProgressBar label="Labels made" value={made} max={labels} />
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}

/** Why the printer's own scaling must stay off. */
export function ActualSizeHint() {
  return <p className="text-sm text-muted">{labelMessages.actualSize}</p>
}
