import { listImportRows, type ImportRecord } from '@inventory-manager/contract/imports/endpoints'
import type { PreviewRow } from '@inventory-manager/contract/imports/preview-row'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { downloadFile } from '../lib/files.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { refusedCsv } from './refused-csv.ts'

/** As many rows as one call may ask for: each judges all of the file. */
const pageRows = '1000'

async function readRefused(id: string, signal: AbortSignal): Promise<PreviewRow[]> {
  const rows: PreviewRow[] = []
  for (let after: number | null = 0; after !== null;) {
    const page: EndpointReply<typeof listImportRows> = await call(
      listImportRows,
      { params: { id }, query: { kind: 'bad', limit: pageRows, after: String(after) } },
      { signal },
    )
    rows.push(...page.rows)
    after = page.next_after
  }
  return rows
}

/** Saves the rows that cannot be taken, with their lines and why: they are gone once the others are taken. */
export function RefusedFile({ of: { id, name } }: { of: Pick<ImportRecord, 'id' | 'name'> }) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  async function save(): Promise<void> {
    const left = new AbortController()
    leaving.current = left
    setBusy(true)
    setFault(null)
    try {
      const blob = new Blob([refusedCsv(await readRefused(id, left.signal))], { type: 'text/csv' })
      downloadFile({ blob, name: `not taken of ${name.replace(/\.\w+$/, '')}.csv` })
    } catch (error) {
      if (!left.signal.aborted) setFault(`They could not be saved: ${messageOf(error)}`)
    }
    setBusy(false)
  }

  return (
    <>
      <div>
        <Button rests={busy} onClick={() => void save()}>
          {busy ? 'Reading them...' : 'Save what cannot be taken as CSV'}
        </Button>
      </div>
      {fault !== null && <Fault text={fault} />}
    </>
  )
}
