import { Readable } from 'node:stream'
import type { ServerResponse } from 'node:http'
import { whenClosed } from '../platform/http/when-closed.ts'

const renewAfterMs = 20_000

interface HandOut {
  /** The file, made anew piece by piece; it stops when the signal aborts. */
  pieces: (signal: AbortSignal) => AsyncIterable<Buffer>
  /** Whether a part of the file is of use by itself, as the labels of ZPL are that have arrived. */
  isUsableInParts: boolean
  /** Called every 20 s while the reader takes what it is given. */
  renew: () => Promise<void>
  /** Makes the job final; the first piece waits for it where that is of use, so that nobody gets what is not charged. */
  charge: () => Promise<void>
  /** Charges what is not charged yet, and records what was printed. The last piece waits for it: who has all finds it recorded. */
  finish: () => Promise<void>
  /** Called once when the reply ends before the file was whole. */
  release: () => Promise<void>
  /** Called once when the reply is over, whole or not. */
  ended: () => void
  onError: (error: unknown) => void
}

/**
 * A stream of a file for a reply. Its job is finished just before the last piece is handed out. It is charged then too, or
 * before the first piece where that is of use by itself, and released when the reader leaves, or the making fails, before that.
 */
export function handOut(reply: ServerResponse, job: HandOut): Readable {
  const left = new AbortController()
  let settled: Promise<boolean> | null = null

  async function settle(work: () => Promise<void>): Promise<void> {
    left.signal.throwIfAborted()
    settled = work().then(
      () => true,
      (error: unknown) => {
        job.onError(error)
        return false
      },
    )
    if (!(await settled)) throw new Error('The label job could not be confirmed.')
  }

  async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
    let held: Buffer | null = null
    let renewed = performance.now()
    for await (const piece of job.pieces(left.signal)) {
      if (job.isUsableInParts && settled === null) await settle(job.charge)
      if (held !== null) yield held
      held = piece
      if (performance.now() - renewed < renewAfterMs) continue
      await job.renew()
      renewed = performance.now()
    }
    await settle(job.finish)
    if (held !== null) yield held
  }

  const end = async (): Promise<void> => {
    left.abort()
    job.ended()
    if (settled === null || !(await settled)) await job.release()
  }
  whenClosed(reply, () => void end().catch(job.onError))
  return Readable.from(pieces())
}
