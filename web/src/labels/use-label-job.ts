import type { EndpointCall } from '@inventory-manager/contract/endpoint'
import { generateLabels, listLabelled } from '@inventory-manager/contract/labels/endpoints'
import { dashboard } from '@inventory-manager/contract/overview/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isAbort } from '../api/api-error.ts'
import { callForFile } from '../api/file-client.ts'
import { useOnce } from '../api/once.ts'
import { downloadFile } from '../lib/files.ts'
import { createLabelCounter } from './made-labels.ts'

type FileOfServer = Awaited<ReturnType<typeof callForFile>>
type LabelBody = EndpointCall<typeof generateLabels>['body']

/** How far a file is: labels made, of all. */
export type JobProgress = { made: number; labels: number }

/** Often enough to be seen moving: each step draws the screen, which took longer than making the labels. */
const stepMs = 100

export type LabelJob = {
  /** Null while no file is being made. */
  progress: JobProgress | null
  /** Hands the last file to the browser once more, which may not have saved it; null where none was made since the last start. */
  downloadAgain: (() => void) | null
  /** Makes the file and hands it to the browser; false when it was cancelled, or its screen left. Throws ApiError. */
  start: (body: LabelBody, labels: number) => Promise<boolean>
  cancel: () => void
}

/** One label file at a time. The same job sent again after a cut network keeps its key and is charged once. */
export function useLabelJob(): LabelJob {
  const client = useQueryClient()
  const [progress, setProgress] = useState<JobProgress | null>(null)
  const [made, setMade] = useState<FileOfServer | null>(null)
  const running = useRef<AbortController | null>(null)
  const once = useOnce()
  const isLeft = useRef(false)
  // A screen that is left takes its job with it, as cancelling does; also one that was to begin after something else.
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      running.current?.abort()
    }
  }, [])

  async function start(body: LabelBody, labels: number): Promise<boolean> {
    if (isLeft.current) return false
    const abort = new AbortController()
    running.current = abort
    setProgress({ made: 0, labels })
    setMade(null)
    const count = createLabelCounter()
    let shownAt = 0
    function show(piece: Uint8Array): void {
      const made = count(piece)
      if (performance.now() - shownAt < stepMs) return
      shownAt = performance.now()
      setProgress({ made, labels })
    }
    try {
      const { signal } = abort
      const file = await once(body, (idempotencyKey) =>
        callForFile(generateLabels, { body }, { idempotencyKey, signal, onPiece: show }),
      )
      downloadFile(file)
      setMade(file)
      return true
    } catch (error) {
      if (isAbort(error)) return false
      throw error
    } finally {
      running.current = null
      setProgress(null)
      for (const queryKey of [[dashboard.path], [listLabelled.path]]) {
        client.invalidateQueries({ queryKey }).catch(reportError)
      }
    }
  }

  const downloadAgain = made === null ? null : () => downloadFile(made)
  return { progress, downloadAgain, start, cancel: () => running.current?.abort() }
}
