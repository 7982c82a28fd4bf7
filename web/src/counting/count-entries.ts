import { recordCount, type CountReply } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import type { weekDays } from '@inventory-manager/contract/stock/rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { newId } from '../lib/ids.ts'
import { createOutbox, type Entry, type OutboxCounts } from '../scanning/outbox.ts'

type CountEntry = { barcode: string; quantity: number; timestamp: string; recount: boolean }

export type CountResult = CountEntry & {
  id: string
  description: string
  verdict: 'matched' | 'mismatched' | 'recorded' | 'review' | 'unknown' | 'again' | 'refused'
  message: string
}

const recentSize = 10
const sendTimeoutMs = 15_000

function verdictOf(reply: CountReply): CountResult['verdict'] {
  if (reply.matched === true) return 'matched'
  if (reply.matched === null) return 'review'
  return reply.recorded ? 'recorded' : 'mismatched'
}

function messageFor(reply: CountReply, description: string): string {
  return reply.matched === true ? countMessages.matched(description) : reply.message
}

function failureOf(error: unknown, barcode: string): Pick<CountResult, 'verdict' | 'message'> {
  if (error instanceof ApiError && error.code === 'not_found') {
    return { verdict: 'unknown', message: countMessages.notFound(barcode) }
  }
  if (error instanceof ApiError && error.code === 'already_counted') {
    return { verdict: 'again', message: countMessages.alreadyCounted }
  }
  return { verdict: 'refused', message: countMessages.updating(messageOf(error)) }
}

/** Which count entries belong to. */
export type CountScope = {
  location: LocationCode
  session: string
  source: 'monthly' | 'weekly' | 'admin'
  day?: (typeof weekDays)[number]
}

type CountOptions = {
  scope: CountScope
  describe: (barcode: string) => string
  onResult: (result: CountResult, reply: CountReply | null) => void
}

export type CountEntries = {
  counts: OutboxCounts
  recent: readonly CountResult[]
  add: (entry: { barcode: string; quantity: number; recount: boolean }) => void
}

/** The entries of one count: sent in order, each once, through network failures; the last ten results. */
export function useCountEntries({ scope, describe, onResult }: CountOptions): CountEntries {
  const [counts, setCounts] = useState<OutboxCounts>({ scanned: 0, stored: 0, waiting: 0 })
  const [recent, setRecent] = useState<readonly CountResult[]>([])
  const [outbox] = useState(() =>
    createOutbox<CountEntry, CountReply>(({ id, value }) =>
      call(recordCount, { body: { ...value, ...scope } }, { idempotencyKey: id, timeoutMs: sendTimeoutMs }),
    ),
  )

  const take = useEffectEvent(
    (entry: Entry<CountEntry>, answer: { reply: CountReply } | { error: unknown }) => {
      const { value } = entry
      const description = describe(value.barcode)
      const outcome =
        'reply' in answer
          ? { verdict: verdictOf(answer.reply), message: messageFor(answer.reply, description) }
          : failureOf(answer.error, value.barcode)
      const result = { ...value, id: entry.id, description, ...outcome }
      setRecent((earlier) => [result, ...earlier].slice(0, recentSize))
      onResult(result, 'reply' in answer ? answer.reply : null)
    },
  )

  useEffect(
    () => outbox.start({ onResult: (entry, answer) => take(entry, answer), onChange: setCounts }),
    [outbox],
  )

  useEffect(() => {
    window.addEventListener('online', outbox.retryNow)
    return () => window.removeEventListener('online', outbox.retryNow)
  }, [outbox])

  return {
    counts,
    recent,
    add: (entry) => outbox.add({ id: newId(), value: { ...entry, timestamp: new Date().toISOString() } }),
  }
}
