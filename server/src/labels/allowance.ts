import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { getPlan } from '@inventory-manager/contract/plans'
import { lockTimeZone } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import {
  addUsage,
  createJob,
  findJobOfKey,
  getUsage,
  joinJob,
  lockJob,
  lockMonth,
  releaseExpired,
  reviveJob,
  setJob,
} from './queries.ts'

/** Replies of one job at a time: the first, and retries whose first has not been noticed to be lost. */
const mostStreams = 3

type JobRequest = { key: string | null; hash: string; labels: number }

/** Charges labels to the locked month; throws 'label_limit' with the figures, and then nothing is charged. */
async function charge(
  tx: Tx,
  actor: Actor,
  { labels, monthStart, timeZone }: { labels: number; monthStart: Date; timeZone: string },
) {
  const { name: plan, labelsPerMonth: limit } = getPlan(actor.plan)
  if ((await addUsage(tx, { monthStart, labels, limit })) || limit === null) return
  const { used, resetsOn } = await getUsage(tx, timeZone)
  const sentence = labelMessages.pastLimit({ plan, limit, used, labels })
  throw new AppError('label_limit', { sentence: `${sentence} The count starts again on ${resetsOn}.` })
}

/**
 * Reserves the labels of a job in the month's allowance and gives the job's id. A retry under the same key is the same
 * job and is charged once, unless the first try gave its labels back. Throws 'label_limit', 'key_reused' for
 * another request under the key, and 'too_many_label_files' where the same file is handed out often enough already.
 */
export async function reserveJob(tx: Tx, actor: Actor, request: JobRequest): Promise<string> {
  const timeZone = await lockTimeZone(tx)
  const monthStart = await lockMonth(tx, timeZone)
  await releaseExpired(tx)
  const earlier = request.key === null ? null : await findJobOfKey(tx, actor.userId, request.key)
  if (earlier !== null && earlier.request_hash !== request.hash) throw new AppError('key_reused')
  if (earlier?.state === 'confirmed') return earlier.id
  if (earlier?.state === 'reserved') {
    if (earlier.streams >= mostStreams) throw new AppError('too_many_label_files')
    await joinJob(tx, earlier.id)
    return earlier.id
  }
  await charge(tx, actor, { labels: request.labels, monthStart, timeZone })
  if (earlier === null) return await createJob(tx, { ...request, userId: actor.userId, monthStart })
  await reviveJob(tx, earlier.id, monthStart)
  return earlier.id
}

/**
 * Makes a reservation final; says whether this call did, as a retry may have been first. A reservation that had run
 * out is charged anew; throws 'label_limit' where others have used the labels since.
 */
export async function confirmJob(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const timeZone = await lockTimeZone(tx)
  const job = await lockJob(tx, id)
  if (job.state === 'confirmed') return false
  if (job.state === 'released') {
    const monthStart = await lockMonth(tx, timeZone)
    await charge(tx, actor, { labels: job.labels, monthStart, timeZone })
    await reviveJob(tx, id, monthStart)
  }
  await setJob(tx, id, { state: 'confirmed', streams: 0 })
  return true
}

/**
 * Marks a confirmed job as handed out whole, by its `streams`, which are 0 until then; says whether this reply is the first
 * that is, whose labels are to be recorded.
 */
export async function markWhole(tx: Tx, id: string): Promise<boolean> {
  const job = await lockJob(tx, id)
  if (job.streams > 0) return false
  await setJob(tx, id, { streams: 1 })
  return true
}

/** Ends one reply of a job that was not handed out whole; the last one gives the labels back. */
export async function releaseJob(tx: Tx, id: string): Promise<void> {
  const job = await lockJob(tx, id)
  if (job.state !== 'reserved') return
  if (job.streams > 1) {
    await setJob(tx, id, { streams: job.streams - 1 })
    return
  }
  await setJob(tx, id, { state: 'released' })
  await addUsage(tx, { monthStart: job.month_start, labels: -job.labels, limit: null })
}
