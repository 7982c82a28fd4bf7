import type { LabelItem } from '@inventory-manager/contract/labels/layout'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Banner, type Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ActualSizeHint, JobProgressBar, JobSummary, NoLetters } from './job-card.tsx'
import { LabelOptions } from './label-options.tsx'
import { LabelPreview } from './label-preview.tsx'
import type { Printing } from './print-choice.ts'
import { SheetPicture } from './sheet-picture.tsx'
import type { LabelJob } from './use-label-job.ts'

/** What is said of the file that was asked for. */
export type JobStatus = { tone: Tone; text: string } | null

type JobPanelProps = {
  printing: Printing
  sizeIsFixed?: boolean
  /** The first label; a made-up one where there is none yet. */
  example: LabelItem | null
  /** What is printed. */
  items: readonly LabelItem[]
  /** How many labels there will be. */
  labels: number
  job: LabelJob
  /** What is chosen is what is being made of it. */
  busy: boolean
  status: JobStatus
  /** What cannot be printed, and the button that prints the rest. */
  children?: ReactNode
}

const madeUp: LabelItem = { barcode: 'SKU-1001', description: 'Hex bolt M8' }

/** The button, with what came of it below: from there the head of the screen is out of sight, and the button stays in its place. */
function Said({ status, children }: { status: JobStatus; children: ReactNode }) {
  const around = useRef<HTMLDivElement>(null)
  const said = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (status === null || around.current === null) return
    // Whoever has scrolled away meanwhile looks at something else.
    const { top, bottom } = around.current.getBoundingClientRect()
    if (bottom > 0 && top < innerHeight) said.current?.scrollIntoView({ block: 'nearest' })
  }, [status])
  return (
    <div ref={around} className="flex flex-col gap-4">
      {children}
      {status !== null && (
        <div ref={said} className="wrap-anywhere">
          <Banner tone={status.tone}>{status.text}</Banner>
        </div>
      )}
    </div>
  )
}

/** What will come out of the printer: the label, the sheet, the choices, the cost; and how far it is. */
export function JobPanel({
  printing,
  sizeIsFixed = false,
  example,
  items,
  labels,
  job,
  busy,
  status,
  children,
}: JobPanelProps) {
  const { choice } = printing
  return (
    <Card title="Preview">
      <div className="flex flex-col gap-4">
        <LabelPreview item={example ?? madeUp} choice={choice} />
        <LabelOptions printing={printing} sizeIsFixed={sizeIsFixed} disabled={busy} />
        <SheetPicture printing={printing} labels={labels} disabled={busy} />
        <ActualSizeHint />
        <JobSummary printing={printing} labels={labels} />
        {choice.format === 'pdf' && <NoLetters items={items} />}
        <Said status={status}>{children}</Said>
        {job.downloadAgain !== null && <Button onClick={job.downloadAgain}>Download again</Button>}
        {job.progress !== null && <JobProgressBar progress={job.progress} onCancel={job.cancel} />}
      </div>
    </Card>
  )
}
