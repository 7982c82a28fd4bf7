import { cancelImport, type ImportRecord } from '@inventory-manager/contract/imports/endpoints'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { isAbort, isRefusal, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { queryClient } from '../api/query-client.ts'
import { readOwner } from '../api/token.ts'
import { createValue } from '../lib/value.ts'
import { openImportFile, type Asked, type ImportFile } from './import-file.ts'
import { refreshImports } from './queries.ts'
import { upload, type Choices, type Plan, type Progress } from './upload.ts'

/** A file that is being read; without an id until the server has begun its import. */
export type Reading = { at: 'uploading'; id: string | null } & Progress

export type Step =
  | { at: 'choosing' }
  // Another file may be chosen meanwhile.
  | { at: 'opening'; name: string }
  // `asked`: another way in which it is being read.
  | { at: 'mapping'; file: ImportFile; chosen: Choices | null; asked: Asked | null }
  | Reading
  // With what was chosen, and how columns of numbers were read, where that was in this page.
  | { at: 'preview'; id: string; plan: Plan | null; readAs: string | null }
  // `withoutStock`: it has made components, and none of it has stock.
  | { at: 'done'; record: ImportRecord; withoutStock: boolean }

type State = {
  /** Whose import it is, as `company/user`. */
  owner: string
  step: Step
  fault: string | null
  /** Stops what is being read; null where nothing is. */
  running: AbortController | null
}

const nothing: State = { owner: '', step: { at: 'choosing' }, fault: null, running: null }

/** The import of this page: a file that is being read is read on while another screen is shown. */
const current = createValue<State>(nothing)

/** Forgets what was chosen, unless a file is being read. */
function leave(): void {
  if (current.get().running === null) current.set(nothing)
}

/** Drops what is staged of an import that is not wanted any more. */
async function drop(id: string, owner: string): Promise<void> {
  await call(cancelImport, { params: { id } }, { owner }).catch((error: unknown) => {
    // What is refused is not open any more, such as what was cancelled in another tab.
    if (!isRefusal(error)) reportError(error)
  })
}

type Go = (to: Step, why?: string | null) => void

/** Opens a file, unless another one is chosen meanwhile. */
async function choose(file: File, go: Go): Promise<void> {
  const opening: Step = { at: 'opening', name: file.name }
  const isWanted = () => current.get().step === opening
  go(opening)
  try {
    const opened = await openImportFile(file, null)
    if (isWanted()) go({ at: 'mapping', file: opened, chosen: null, asked: null })
  } catch (error) {
    if (isWanted()) go({ at: 'choosing' }, messageOf(error))
  }
}

/** The step before a plan. */
export function columnsOf({ file, ...chosen }: Plan): Step {
  return { at: 'mapping', file, chosen, asked: null }
}

type MappingStep = Extract<Step, { at: 'mapping' }>

/** Reads the file that is chosen in another way; what was asked last counts. */
async function readAs(step: MappingStep, asked: Asked, go: Go): Promise<void> {
  const reading: Step = { ...step, asked }
  const isWanted = () => current.get().step === reading
  go(reading)
  try {
    const file = await openImportFile(step.file.source, asked)
    if (isWanted()) go({ at: 'mapping', file, chosen: null, asked: null })
  } catch (error) {
    // A sheet that is empty: the one before stays.
    if (isWanted()) go({ ...step, asked: null }, messageOf(error))
  }
}

/** The steps of an import, and how to get from one to the next. */
export function useImport() {
  const [owner] = useState(readOwner)
  const kept = useSyncExternalStore(current.subscribe, current.get)
  const { step, fault } = kept.owner === owner ? kept : nothing
  const once = useOnce()
  useEffect(() => leave, [])

  const go: Go = (to, why = null) => current.set({ owner, step: to, fault: why, running: null })

  async function send(plan: Plan): Promise<void> {
    const running = new AbortController()
    const isShown = () => current.get().running === running
    const begun = new Set<string>()
    let reading: Reading = { at: 'uploading', id: null, rows: 0, share: 0, waits: false }
    const read = (more: Partial<Reading>) => {
      reading = { ...reading, ...more }
      if (isShown() && !running.signal.aborted) current.set({ owner, step: reading, fault: null, running })
    }
    current.set({ owner, step: reading, fault: null, running })
    try {
      const { id, readAs } = await upload(plan, {
        once,
        owner,
        signal: running.signal,
        onBegun(id) {
          begun.add(id)
          read({ id })
          refreshImports().catch(reportError)
        },
        onProgress: read,
      })
      if (isShown()) go({ at: 'preview', id, plan, readAs })
    } catch (error) {
      for (const id of begun) await drop(id, owner)
      if (isShown()) {
        go(columnsOf(plan), isAbort(error) ? null : messageOf(error))
      }
    }
    await refreshImports()
  }

  function show(next: Step): void {
    go(next)
    queryClient.invalidateQueries().catch(reportError)
  }

  return {
    step,
    fault,
    choose: (file: File) => choose(file, go),
    readAs: (from: MappingStep, asked: Asked) => readAs(from, asked, go),
    send,
    show,
    stop: () => current.get().running?.abort(),
  }
}
