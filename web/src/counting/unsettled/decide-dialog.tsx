import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '../../lib/dates.ts'
import { formatNumber } from '../../lib/numbers.ts'
import { readCode } from '../../scanning/codes.ts'
import { useScannersOfCompany } from '../../scanning/company-scanners.ts'
import { readScannerSettings } from '../../scanning/settings.ts'
import { placeName } from '../../session/place-names.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import type { Refusal } from '../../outbox/store.ts'
import { findInMonth } from '../count-list-query.ts'
import { piecesPerScanOf } from '../count-list.ts'
import { discardEntry, sendEntryAgain } from '../count-decisions.ts'
import { isUnknown, unknownMessage } from '../count-verdicts.ts'
import { piecesOf, type HeldEntry } from '../held-entries.ts'

/** It only gets older: under no code is it taken. */
function isTooOld(refusal: Refusal | null): boolean {
  return refusal?.code === 'count_too_old'
}

function reasonOf({ value, refusal }: HeldEntry): string {
  if (refusal !== null && isUnknown(refusal)) return unknownMessage(value, refusal)
  const reason = refusal?.message ?? ''
  return isTooOld(refusal) ? `${reason} ${entryMessages.countAnew}` : reason
}

/** How an entry is shown: the server holds an unknown code with its quantity, whatever is decided here, but where it has too many. */
function shownAs(entry: HeldEntry, isKnownByNow: boolean) {
  if (entry.refusal?.code !== 'not_found') {
    return { title: 'Not stored', look: 'danger', reason: reasonOf(entry) } as const
  }
  const reason = isKnownByNow
    ? 'The code belongs to a component by now. Send it again to count it.'
    : 'It is kept with its quantity for an administrator. Discard it here, or correct the code.'
  return { title: 'Unknown code', look: 'secondary', reason } as const
}

function CodeField({ code, onChange }: { code: string; onChange: (code: string) => void }) {
  return (
    <TextField
      label="Code"
      hint="Correct it here if it was read wrong."
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      value={code}
      // A scan takes the place of what was read wrong.
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.select()
      }}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type DialogProps = { entry: HeldEntry; onClose: () => void }

/** One entry that the server did not take: once more, under another code, or not at all; one that is too old only the last. */
export function DecideDialog({ entry, onClose }: DialogProps) {
  const { value } = entry
  const [barcode, setBarcode] = useState(value.barcode)
  const [isLost, setLost] = useState(false)
  const client = useQueryClient()
  const company = useScannersOfCompany()
  // Scanned anew it is read as any scan; as it was kept it has been read already.
  const find = (typed: string) => findInMonth(client, value.location)(typed) ?? undefined
  const isKnown = (typed: string) => find(typed) !== undefined
  const scanned = readCode(barcode, readScannerSettings(company), isKnown).code
  const code = barcode === value.barcode ? barcode : scanned
  const piecesPerScan = piecesPerScanOf(find(code), code)
  const isFinal = isTooOld(entry.refusal)
  const { title, look, reason } = shownAs(entry, isKnown(value.barcode))

  async function decide(work: Promise<boolean>): Promise<void> {
    // Said anew, it is read out again and comes into view.
    setLost(false)
    if (await work) onClose()
    else setLost(true)
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button look={look} onClick={() => void decide(discardEntry(entry)).catch(reportError)}>
            Discard
          </Button>
          {!isFinal && (
            <Button
              look="primary"
              disabled={code === ''}
              onClick={() =>
                void decide(sendEntryAgain(entry, { barcode: code, piecesPerScan })).catch(reportError)
              }
            >
              Send again
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>{reason}</p>
        {isLost && <Fault text={entryMessages.notDecided} />}
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 tabular-nums">
          {isFinal && (
            <>
              <dt className="text-muted">Code</dt>
              <dd className="font-mono wrap-anywhere">{value.barcode}</dd>
            </>
          )}
          <dt className="text-muted">Quantity</dt>
          <dd>
            {formatNumber(piecesOf(value, piecesPerScan))}
            {piecesPerScan > 1 && (
              <span className="block text-sm text-muted">
                {entryMessages.packKept(piecesPerScan, value.scans ?? 0)}
              </span>
            )}
          </dd>
          <dt className="text-muted">Location</dt>
          <dd className="wrap-anywhere">{placeName(value.location)}</dd>
          <dt className="text-muted">Counted</dt>
          <dd>{formatDateTime(value.timestamp)}</dd>
        </dl>
        {!isFinal && <CodeField code={barcode} onChange={setBarcode} />}
      </div>
    </Dialog>
  )
}
