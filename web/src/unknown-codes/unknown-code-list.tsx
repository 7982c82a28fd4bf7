import { findLocation } from '@inventory-manager/contract/locations'
import type { UnknownCode } from '@inventory-manager/contract/unknown-codes/endpoints'
import { unknownCodeMessages } from '@inventory-manager/contract/unknown-codes/messages'
import { useEffect, useRef, useState } from 'react'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import type { Actions } from './queries.ts'

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
    <ul aria-label="Latest scans" className="flex flex-col gap-1 text-sm text-muted">
      {scans.map((scan) => (
        <li key={`${scan.timestamp} ${scan.user_name}`} className="flex flex-wrap gap-x-3">
          <span>
            {scan.user_name}, <time dateTime={scan.timestamp}>{formatMoment(scan.timestamp)}</time>
          </span>
          <Beside words="after" scan={scan.before} />
          <Beside words="before" scan={scan.after} />
        </li>
      ))}
    </ul>
  )
}

type NamingProps = {
  code: string
  busy: boolean
  onCreate: (description: string) => void
  onCancel: () => void
}

/** The one thing to say about a new component; Enter creates it. */
function Naming({ code, busy, onCreate, onCancel }: NamingProps) {
  const [description, setDescription] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={form}
      className="flex flex-col gap-2 sm:w-72"
      onSubmit={(event) => {
        event.preventDefault()
        onCreate(description)
      }}
    >
      <TextField
        label={`Description of ${code}`}
        value={description}
        maxLength={500}
        onChange={(event) => setDescription(event.target.value)}
      />
      <div className="flex gap-2">
        <Button look="primary" submits disabled={busy}>
          Create
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}

function Decide({ code, actions }: { code: UnknownCode; actions: Actions }) {
  const [naming, setNaming] = useState(false)
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
  if (naming) {
    return (
      <Naming
        code={code.code}
        busy={actions.busy}
        onCreate={(description) => void actions.create(code, description).catch(reportError)}
        onCancel={() => setNaming(false)}
      />
    )
  }
  return (
    <div className="flex gap-2">
      <Button look="primary" onClick={() => setNaming(true)}>
        Make component
      </Button>
      <Button disabled={actions.busy} onClick={() => void actions.ignore([code]).catch(reportError)}>
        Ignore
      </Button>
    </div>
  )
}

function Row({ code, actions }: { code: UnknownCode; actions: Actions }) {
  return (
    <li className="flex flex-col gap-3 border-t border-line p-4 first:border-t-0 sm:flex-row sm:items-start">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-base font-medium break-all">{code.code}</span>
          <Badge look={code.times > 1 ? 'warn' : 'plain'}>
            {code.times === 1 ? 'Scanned once' : `Scanned ${formatNumber(code.times)} times`}
          </Badge>
        </p>
        <p className="text-sm text-muted">
          {findLocation(code.location)?.name ?? code.location}, last by {code.user_name},{' '}
          {formatMoment(code.last_seen_at)}
        </p>
        <Scans scans={code.scans} />
        {code.decided_by !== null && <p className="text-sm text-muted">Decided by {code.decided_by}</p>}
      </div>
      <Decide code={code} actions={actions} />
    </li>
  )
}

export function UnknownCodeList({ codes, actions }: { codes: readonly UnknownCode[]; actions: Actions }) {
  return (
    <ul aria-label="Unknown codes">
      {codes.map((code) => (
        <Row key={code.id} code={code} actions={actions} />
      ))}
    </ul>
  )
}
