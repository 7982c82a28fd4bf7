import {
  countCertificate,
  listCountSessions,
  type CountSession,
} from '@inventory-manager/contract/accuracy/endpoints'
import { placeName } from '@inventory-manager/contract/stock/places'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { DownloadStatus, useDownload } from '../api/download.tsx'
import { formatDateTime, formatMonth } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'

const papers = [
  { value: 'a4', label: 'A4' },
  { value: 'letter', label: 'Letter' },
] as const

type Paper = (typeof papers)[number]['value']

/** Letter where the browser speaks as people do who use it. */
function usualPaper(): Paper {
  return /-(US|CA|MX|PH)$/i.test(navigator.language) ? 'letter' : 'a4'
}

function sessionLabel({ session, location, entries, people, started_at: start }: CountSession): string {
  const count = `${formatNumber(entries)} ${entries === 1 ? 'entry' : 'entries'}`
  return [formatDateTime(start), placeName(location), people.join(', '), count, session].join(' · ')
}

/** The sessions of a month, and what the choice of one says meanwhile. */
function useSessions(month: string, location: string) {
  const { data, error, isPending } = useQuery({
    queryKey: [listCountSessions.path, month, location],
    queryFn: ({ signal }) =>
      call(listCountSessions, { query: { month, ...(location === '' ? {} : { location }) } }, { signal }),
  })
  const sessions = data?.sessions ?? []
  const hint = isPending ? 'Looking for sessions...' : undefined
  return { sessions, hint, error: error === null ? undefined : messageOf(error) }
}

type Option = { value: string; label: string }

type CertificateDialogProps = {
  months: readonly Option[]
  places: readonly Option[]
  initial: { month: string; location: string; session: string | null }
  onClose: () => void
}

/** Chooses what a count certificate is about, and downloads it. */
export function CertificateDialog({ months, places, initial, onClose }: CertificateDialogProps) {
  const [month, setMonth] = useState(initial.month)
  const [location, setLocation] = useState(initial.location)
  /** The place of a session in the list; null until one is chosen, and then the one that was asked for. */
  const [chosen, setChosen] = useState<string | null>(null)
  const [paper, setPaper] = useState<Paper>(usualPaper)
  const { sessions, hint, error } = useSessions(month, location)
  const download = useDownload()
  const session = sessions.find((one, index) =>
    chosen === null ? one.session === initial.session : String(index) === chosen,
  )
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
          <Button look="primary" disabled={download.busy} onClick={issue}>
            Download PDF
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          Says who counted what and when, how many lines matched, and every difference with its decision. Each
          certificate has a number of its own, which stands in the audit trail.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Month"
            options={months}
            value={month}
            onChange={(event) => {
              setMonth(event.target.value)
              setChosen('')
            }}
          />
          <SelectField
            label="Location"
            options={places}
            value={location}
            onChange={(event) => {
              setLocation(event.target.value)
              setChosen('')
            }}
          />
        </div>
        <SelectField
          label="Counting session"
          options={[
            { value: '', label: `All of ${formatMonth(month)}` },
            ...sessions.map((one, index) => ({ value: String(index), label: sessionLabel(one) })),
          ]}
          value={session === undefined ? '' : String(sessions.indexOf(session))}
          hint={hint}
          error={error}
          onChange={(event) => setChosen(event.target.value)}
        />
        <SelectField
          label="Paper"
          options={papers}
          value={paper}
          onChange={(event) => setPaper(event.target.value === 'letter' ? 'letter' : 'a4')}
        />
        <DownloadStatus download={download} />
      </div>
    </Dialog>
  )
}
