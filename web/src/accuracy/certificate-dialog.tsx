import {
  countCertificate,
  listCountSessions,
  type CountSession,
} from '@inventory-manager/contract/accuracy/endpoints'
import { sessionMessages } from '@inventory-manager/contract/accuracy/messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { DownloadStatus, useDownload } from '../api/download.tsx'
import { formatDateTime, formatMonth } from '../lib/dates.ts'
import { usualPaper, type Paper } from '../lib/papers.ts'
import { placeName } from '../session/place-names.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { PaperField } from '../ui/paper-field.tsx'

function sessionLabel({ session, location, entries, people, started_at: start }: CountSession): string {
  const count = howMany(entries, 'entry', 'entries')
  return [formatDateTime(start), placeName(location), people.join(', '), count, session].join(' · ')
}

/** The sessions of a month, which may not be all, or why they are not known. */
function useSessions(month: string, location: string) {
  const { data, error, isPending } = useQuery({
    queryKey: [listCountSessions.path, month, location],
    queryFn: ({ signal }) =>
      call(listCountSessions, { query: { month, ...(location === '' ? {} : { location }) } }, { signal }),
  })
  return {
    sessions: data?.sessions ?? [],
    more: data?.more ?? false,
    isPending,
    error: error === null ? undefined : messageOf(error),
  }
}

type Sessions = ReturnType<typeof useSessions>

function hintOf(
  { isPending, more, error }: Sessions,
  { location, isMissing }: { location: string; isMissing: boolean },
): string | undefined {
  if (isPending) return sessionMessages.looking
  if (error !== undefined) return undefined
  if (isMissing) return more ? sessionMessages.notListed : sessionMessages.notThere
  if (!more) return undefined
  return location === '' ? sessionMessages.more : sessionMessages.moreHere
}

/** What tells a session apart, wherever it stands in a list that is loaded anew. */
const keyOf = ({ session, location, count_type: type }: CountSession) =>
  JSON.stringify([session, location, type])

/** A session, or all of the month. */
type Chosen = CountSession | 'all'

type SessionFieldProps = {
  month: string
  location: string
  listed: Sessions
  chosen: CountSession | undefined
  /** The session that was asked for, or chosen, and is not listed. */
  missing: string | null
  onChange: (chosen: Chosen) => void
}

function SessionField({ month, location, listed, chosen, missing, onChange }: SessionFieldProps) {
  const asked = missing === null ? [] : [{ value: 'asked', label: missing }]
  const value = chosen === undefined ? '' : keyOf(chosen)
  return (
    <SelectField
      label="Counting session"
      options={[
        { value: '', label: `All of ${formatMonth(month)}` },
        ...asked,
        ...listed.sessions.map((one) => ({ value: keyOf(one), label: sessionLabel(one) })),
      ]}
      value={missing === null ? value : 'asked'}
      hint={hintOf(listed, { location, isMissing: missing !== null })}
      error={listed.error}
      onChange={({ target }) => onChange(listed.sessions.find((one) => keyOf(one) === target.value) ?? 'all')}
    />
  )
}

type Option = { value: string; label: string }

type CertificateDialogProps = {
  months: readonly Option[]
  places: readonly Option[]
  initial: { month: string; location: string; session: string | null }
  onClose: () => void
}

/** The session that a certificate is of, and its name where it is not listed: the whole month would go out under that. */
function findChosen({ sessions }: Sessions, chosen: Chosen | null, asked: string | null) {
  if (chosen === 'all') return { session: undefined, missing: null }
  const session = sessions.find((one) =>
    chosen === null ? one.session === asked : keyOf(one) === keyOf(chosen),
  )
  return { session, missing: session === undefined ? (chosen?.session ?? asked) : null }
}

/** Chooses what a count certificate is about, and downloads it. */
export function CertificateDialog({ months, places, initial, onClose }: CertificateDialogProps) {
  const [month, setMonth] = useState(initial.month)
  const [location, setLocation] = useState(initial.location)
  /** Null until somebody chooses: then the one that was asked for, if any. */
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [paper, setPaper] = useState<Paper>(usualPaper)
  const listed = useSessions(month, location)
  const download = useDownload()
  const { session, missing } = findChosen(listed, chosen, initial.session)
  const place = session?.location ?? location

  function issue(): void {
    const query = {
      month,
      paper,
      ...(place === '' ? {} : { location: place }),
      ...(session === undefined ? {} : { session: session.session }),
    }
    download.start('The certificate', countCertificate, { query }).catch(reportError)
  }

  return (
    <Dialog
      title="Count certificate"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" disabled={download.busy || missing !== null} onClick={issue}>
            Download PDF
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          Says who counted what and when, how many lines matched, and every difference with its decision. Each
          certificate has a number of its own, which is recorded in the audit trail.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Month"
            options={months}
            value={month}
            onChange={(event) => {
              setMonth(event.target.value)
              setChosen('all')
            }}
          />
          <SelectField
            label="Location"
            options={places}
            value={location}
            onChange={(event) => {
              setLocation(event.target.value)
              setChosen('all')
            }}
          />
        </div>
        <SessionField
          month={month}
          location={location}
          listed={listed}
          chosen={session}
          missing={missing}
          onChange={setChosen}
        />
        <PaperField value={paper} onChange={setPaper} />
        <DownloadStatus download={download} />
      </div>
    </Dialog>
  )
}
