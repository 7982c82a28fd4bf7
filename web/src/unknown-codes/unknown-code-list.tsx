import { maxBarcodeLength, maxDescriptionLength } from '@inventory-manager/contract/values'
import type { UnknownCode } from '@inventory-manager/contract/unknown-codes/endpoints'
import { unknownCodeMessages } from '@inventory-manager/contract/unknown-codes/messages'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { PackField } from '../scanning/pack-field.tsx'
import { placeName } from '../session/place-names.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { Who } from '../ui/who.tsx'
import type { Actions } from './queries.ts'
import { StockFields, useStockAt } from './stock-fields.tsx'

type Scan = UnknownCode['scans'][number]

function Beside({ words, scan }: { words: string; scan: Scan['before'] }) {
  if (scan === null) return null
  return (
    <span>
      {words} <span className="font-mono text-text">{scan.sku}</span>
      {scan.description !== '' && ` ${scan.description}`}
    </span>
  )
}

/** Who scanned it when, and what they scanned around it: the way to the shelf it lies on. */
function Scans({ scans }: { scans: readonly Scan[] }) {
  return (
    <ul aria-label="Latest scans" className="flex flex-col gap-1 text-sm wrap-anywhere text-muted">
      {scans.map((scan) => (
        <li key={`${scan.timestamp} ${scan.user_name}`} className="flex flex-wrap gap-x-3">
          <span>
            <Who name={scan.user_name} />,{' '}
            <time dateTime={scan.timestamp}>{formatMoment(scan.timestamp)}</time>
          </span>
          {scan.quantity !== null && (
            <span>
              counted <span className="font-medium text-text">{formatNumber(scan.quantity)}</span>
            </span>
          )}
          <Beside words="after" scan={scan.before} />
          <Beside words="before" scan={scan.after} />
        </li>
      ))}
    </ul>
  )
}

type AskingProps = {
  submit: string
  busy: boolean
  onGive: () => void
  onCancel: () => void
  children: ReactNode
}

/** What there is to say about a code; Enter, which scanners end with, gives it. */
function Asking({ submit, busy, onGive, onCancel, children }: AskingProps) {
  return (
    <form
      className="flex flex-col gap-2 sm:w-72"
      onSubmit={(event) => {
        event.preventDefault()
        onGive()
      }}
    >
      {children}
      <div className="flex gap-2">
        <Button look="primary" submits disabled={busy}>
          {submit}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}

/** A field that has the focus once it is there. */
function useFirstField() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}

type FormProps = { code: UnknownCode; actions: Actions; onCancel: () => void }

/** Asks what a code is called, and how many pieces of it there are where it was counted. */
function MakeComponent({ code, actions, onCancel }: FormProps) {
  const [description, setDescription] = useState('')
  const { places, type } = useStockAt(code.counted)
  const field = useFirstField()
  return (
    <Asking
      submit="Create"
      busy={actions.busy}
      onGive={() => void actions.create(code, description.trim(), places).catch(reportError)}
      onCancel={onCancel}
    >
      <TextField
        ref={field}
        label={`Description of ${code.code}`}
        autoComplete="off"
        spellCheck
        value={description}
        maxLength={maxDescriptionLength}
        onChange={(event) => setDescription(event.target.value)}
      />
      <StockFields places={places} onType={type} />
    </Asking>
  )
}

/** Asks which component a code belongs to, and how many of its pieces it stands for. */
function AddToComponent({ code, actions, onCancel }: FormProps) {
  const [sku, setSku] = useState('')
  const [pieces, setPieces] = useState('1')
  const field = useFirstField()

  function give(): void {
    // What is scanned next, where this one is refused, takes its place.
    field.current?.select()
    actions.addTo(code, sku.trim(), pieces).catch(reportError)
  }

  return (
    <Asking submit="Add" busy={actions.busy} onGive={give} onCancel={onCancel}>
      <TextField
        ref={field}
        label={`Barcode of the component that ${code.code} belongs to`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={sku}
        maxLength={maxBarcodeLength}
        onChange={(event) => setSku(event.target.value)}
      />
      <PackField value={pieces} onChange={setPieces} />
      {Number(pieces) > 1 && <p className="text-sm text-muted">{unknownCodeMessages.packKept}</p>}
    </Asking>
  )
}

type Asked = 'description' | 'component'

type WaysProps = {
  code: UnknownCode
  actions: Actions
  /** What was asked and not answered: its button has the focus again. */
  cancelled: Asked | null
  onAsk: (what: Asked) => void
}

/** What can become of an open code. */
function Ways({ code, actions, cancelled, onAsk }: WaysProps) {
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => opener.current?.focus(), [])
  return (
    <div className="flex flex-wrap gap-2">
      {code.retired_owner === null ? (
        <Button ref={cancelled === 'description' ? opener : null} onClick={() => onAsk('description')}>
          Make component
        </Button>
      ) : (
        <Button disabled={actions.busy} onClick={() => void actions.create(code, '').catch(reportError)}>
          Bring back
        </Button>
      )}
      <Button ref={cancelled === 'component' ? opener : null} onClick={() => onAsk('component')}>
        Add to component
      </Button>
      <Button disabled={actions.busy} onClick={() => void actions.ignore([code]).catch(reportError)}>
        Ignore
      </Button>
    </div>
  )
}

function Decide({ code, actions }: { code: UnknownCode; actions: Actions }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [cancelled, setCancelled] = useState<Asked | null>(null)
  if (code.status === 'component') return null
  if (code.status === 'ignored') {
    const words = unknownCodeMessages.reopened(code.code)
    return (
      <Button
        disabled={actions.busy}
        onClick={() => void actions.reopen([code.id], words).catch(reportError)}
      >
        Put back
      </Button>
    )
  }
  const cancel = () => {
    setCancelled(asked)
    setAsked(null)
  }
  const form = { code, actions, onCancel: cancel }
  if (asked === 'description') return <MakeComponent {...form} />
  if (asked === 'component') return <AddToComponent {...form} />
  return <Ways code={code} actions={actions} cancelled={cancelled} onAsk={setAsked} />
}

function Row({ code, actions }: { code: UnknownCode; actions: Actions }) {
  return (
    <li className="flex flex-col gap-3 border-t border-line p-4 first:border-t-0 sm:flex-row sm:items-start">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-base font-medium wrap-anywhere">
            {code.status === 'component' ? (
              <Link href={componentPath(code.code)} className="text-accent-text underline">
                {code.code}
              </Link>
            ) : (
              code.code
            )}
          </span>
          <Badge tone={code.times > 1 ? 'warn' : 'plain'}>
            {code.times === 1 ? 'Scanned once' : `Scanned ${formatNumber(code.times)} times`}
          </Badge>
        </p>
        {code.retired_owner !== null && (
          <p className="text-sm">{unknownCodeMessages.retired(code.retired_owner)}</p>
        )}
        <p className="text-sm wrap-anywhere text-muted">
          {placeName(code.location)}
          {code.scans.length === 0 && (
            <>
              , last by <Who name={code.user_name} />, {formatMoment(code.last_seen_at)}
            </>
          )}
        </p>
        <Scans scans={code.scans} />
        {/* Of one that was put back, who did that is named. */}
        {code.decided_by !== null && code.status !== 'open' && (
          <p className="text-sm wrap-anywhere text-muted">Decided by {code.decided_by}</p>
        )}
      </div>
      <Decide code={code} actions={actions} />
    </li>
  )
}

export function UnknownCodeList({ codes, actions }: { codes: readonly UnknownCode[]; actions: Actions }) {
  const list = useListFocus<HTMLUListElement>(actions.busy ? null : codes.length)
  return (
    <ul ref={list} tabIndex={-1} aria-label="Unknown codes">
      {codes.map((code) => (
        <Row key={code.id} code={code} actions={actions} />
      ))}
    </ul>
  )
}
