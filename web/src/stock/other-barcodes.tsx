import { addBarcode, removeBarcode } from '@inventory-manager/contract/stock/alias-endpoints'
import { packMessages, readPackPieces, type Pack } from '@inventory-manager/contract/stock/packs'
import Plus from 'lucide-react/icons/plus'
import Printer from 'lucide-react/icons/printer'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce, type Once } from '../api/once.ts'
import { readAnewAfter } from '../api/read-anew.ts'
import { formatNumber } from '../lib/numbers.ts'
import { pathFor, paths } from '../lib/paths.ts'
import { readCode } from '../scanning/codes.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { PackField } from '../scanning/pack-field.tsx'
import { readScannerSettings } from '../scanning/settings.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useListFocus } from '../ui/use-list-focus.ts'
import { barcodeFault } from './barcode-fault.ts'
import { FormDialog } from './form-dialog.tsx'
import { refreshStock } from './queries.ts'

type Saving = { barcode: string; onSaved: (words: string) => void }

/** Asks for one code; a scanner types it and ends with Enter, which adds it. */
function AddBarcodeDialog({ barcode, onSaved, onClose }: Saving & { onClose: () => void }) {
  const [alias, setAlias] = useState('')
  const [pieces, setPieces] = useState('1')
  const { faults, accept, forget } = useFaults<'alias' | 'pieces'>()
  const company = useScannersOfCompany()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  async function save(form: HTMLFormElement): Promise<string | null> {
    // What is scanned next, where this one is refused, takes its place.
    field.current?.select()
    // As a count reads a code that it does not know: without the scanner’s own signs, of an element string the trade item number.
    const { code } = readCode(alias, readScannerSettings(company), () => false)
    const read = readPackPieces(pieces)
    const ofCode = barcodeFault(code)
    const found = {
      ...(ofCode === null ? {} : { alias: ofCode }),
      ...(read === null ? { pieces: packMessages.wrong } : {}),
    }
    if (!accept(found, form) || read === null) return null
    await call(addBarcode, { body: { barcode, alias: code, pieces: read } })
    return `Barcode ${code} added.`
  }

  return (
    <FormDialog
      title={`Another barcode of ${barcode}`}
      submit="Add"
      onClose={onClose}
      onSaved={onSaved}
      save={save}
    >
      <TextField
        ref={field}
        label="Barcode"
        name="alias"
        hint={`Scan or type it, such as a supplier’s or an old one. Scanning it counts ${barcode}.`}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={alias}
        error={faults.alias}
        onChange={(event) => {
          setAlias(event.target.value)
          forget({ alias: event.target.value })
        }}
      />
      <PackField
        value={pieces}
        error={faults.pieces}
        onChange={(typed) => {
          setPieces(typed)
          forget({ pieces: typed })
        }}
      />
    </FormDialog>
  )
}

/** Takes barcodes from a component, one after the other. */
function useRemoving({ barcode, onSaved }: Saving) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  async function remove(alias: string, once: Once): Promise<void> {
    setBusy(true)
    setFault(null)
    const body = { barcode, alias }
    try {
      await readAnewAfter(async () => {
        await once(body, (idempotencyKey) => call(removeBarcode, { body }, { idempotencyKey }))
        onSaved(`Barcode ${alias} removed.`)
      }, refreshStock)
    } catch (error) {
      setFault(messageOf(error))
    }
    setBusy(false)
  }

  return { busy, fault, remove }
}

type RowProps = {
  alias: string
  pieces: number
  isRetired: boolean
  busy: boolean
  onRemove: ((once: Once) => void) | null
}

/** One code, with the tries to take it away: once it is gone they are over, and added again it is another one. */
function Row({ alias, pieces, isRetired, busy, onRemove }: RowProps) {
  const once = useOnce()
  return (
    <li className="flex flex-col justify-between gap-3 border-t border-line px-4 py-2 first:border-t-0 sm:flex-row sm:items-center">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-mono wrap-anywhere">{alias}</span>
        {pieces > 1 && <Badge>Pack of {formatNumber(pieces)}</Badge>}
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        {!isRetired && (
          <Link
            href={pathFor(paths.printSettings, alias)}
            aria-label={`Print label of ${alias}`}
            className={buttonClasses('secondary')}
          >
            <Printer aria-hidden className="size-4" />
            Print label
          </Link>
        )}
        {onRemove !== null && (
          <Button disabled={busy} aria-label={`Remove barcode ${alias}`} onClick={() => onRemove(once)}>
            Remove
          </Button>
        )}
      </div>
    </li>
  )
}

type OtherBarcodesProps = Saving & {
  aliases: readonly string[]
  packs: readonly Pack[]
  isRetired: boolean
}

/** By which other codes a component is scanned; administrators give and take them while it is in use. */
export function OtherBarcodes({ aliases, packs, isRetired, ...saving }: OtherBarcodesProps) {
  const { user } = useLocatedSession()
  const [adding, setAdding] = useState(false)
  const { busy, fault, remove } = useRemoving(saving)
  const list = useListFocus<HTMLUListElement>(busy ? null : aliases.length)
  const mayChange = user.role === 'admin' && !isRetired
  if (aliases.length === 0 && !mayChange) return null
  return (
    <Card
      title="Other barcodes"
      aside={
        mayChange && (
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden className="size-4" />
            Add barcode
          </Button>
        )
      }
      flush
    >
      {fault !== null && (
        <div className="p-4">
          <Fault text={fault} />
        </div>
      )}
      {aliases.length === 0 && (
        <p className="p-4 text-sm text-muted">
          None. Add the other barcodes that it is delivered or labelled with.
        </p>
      )}
      <ul ref={list} tabIndex={-1} aria-label="Other barcodes">
        {aliases.map((alias) => (
          <Row
            key={alias}
            alias={alias}
            pieces={packs.find((pack) => pack.barcode === alias)?.pieces ?? 1}
            isRetired={isRetired}
            busy={busy}
            onRemove={mayChange ? (once) => void remove(alias, once).catch(reportError) : null}
          />
        ))}
      </ul>
      {adding && <AddBarcodeDialog {...saving} onClose={() => setAdding(false)} />}
    </Card>
  )
}
