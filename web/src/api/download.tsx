import type { Endpoint, EndpointCall } from '@inventory-manager/contract/endpoint'
import type { ExportFormat } from '@inventory-manager/contract/exports/endpoints'
import { useEffect, useRef, useState } from 'react'
import { downloadFile } from '../lib/files.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { messageOf } from './api-error.ts'
import { callForFile } from './file-client.ts'

type State =
  | { at: 'idle' }
  /** `told`: the bytes that are read out. */
  | { at: 'running'; title: string; bytes: number; told: number }
  | { at: 'saved'; name: string; bytes: number }
  | { at: 'failed'; title: string; sentence: string }

/** Who hears how far a download is can hear nothing else meanwhile. */
const tellEveryMs = 5_000

const megabyte = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, minimumFractionDigits: 1 })

function size(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${megabyte.format(bytes / 1_000_000)} MB`
}

/** One download at a time: what it is at, and how to start and stop it. Leaving the screen stops it. */
export function useDownload() {
  const [state, setState] = useState<State>({ at: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start<E extends Endpoint>(
    title: string,
    endpoint: E,
    input: EndpointCall<E>,
  ): Promise<void> {
    const stopper = new AbortController()
    running.current = stopper
    let received = 0
    let told = { bytes: 0, at: performance.now() }
    setState({ at: 'running', title, bytes: 0, told: 0 })
    try {
      const file = await callForFile(endpoint, input, {
        signal: stopper.signal,
        onPiece: ({ length }) => {
          received += length
          const now = performance.now()
          if (now - told.at >= tellEveryMs) told = { bytes: received, at: now }
          setState({ at: 'running', title, bytes: received, told: told.bytes })
        },
      })
      downloadFile(file)
      setState({ at: 'saved', name: file.name, bytes: received })
    } catch (error) {
      setState(stopper.signal.aborted ? { at: 'idle' } : { at: 'failed', title, sentence: messageOf(error) })
    }
  }

  return { state, busy: state.at === 'running', start, stop: () => running.current?.abort() }
}

export type Download = ReturnType<typeof useDownload>

/** What a download is at, with a button to stop it. */
export function DownloadStatus({ download: { state, stop } }: { download: Download }) {
  switch (state.at) {
    case 'idle':
      return null
    case 'running':
      return (
        <Banner tone="info">
          <span className="flex flex-wrap items-center justify-between gap-3 tabular-nums">
            <span aria-hidden>
              {state.title}: {size(state.bytes)} received...
            </span>
            <span className="sr-only">
              {state.title}: {size(state.told)} received...
            </span>
            <Button onClick={stop}>Cancel</Button>
          </span>
        </Banner>
      )
    case 'saved':
      return (
        <Banner tone="good">
          {state.name} is saved ({size(state.bytes)}).
        </Banner>
      )
    case 'failed':
      return (
        <Banner tone="bad">
          {state.title} could not be downloaded: {state.sentence}
        </Banner>
      )
  }
}

type FormatButtonsProps = {
  /** What the file holds, for those who do not see what stands beside the buttons. */
  title: string
  /** What stands before the format where the buttons stand alone. */
  verb?: 'Export'
  download: Download
  start: (format: ExportFormat) => void
}

const formats: readonly { format: ExportFormat; name: string }[] = [
  { format: 'csv', name: 'CSV' },
  { format: 'xlsx', name: 'XLSX' },
]

/** A list as text for programs, or as a workbook. */
export function FormatButtons({ title, verb, download, start }: FormatButtonsProps) {
  return (
    <div className="flex gap-2">
      {formats.map(({ format, name }) => (
        <Button
          key={format}
          disabled={download.busy}
          aria-label={verb === undefined ? `${title} as ${name}` : `${verb} ${name}: ${title}`}
          onClick={() => start(format)}
        >
          {verb === undefined ? name : `${verb} ${name}`}
        </Button>
      ))}
    </div>
  )
}
