import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCountQueue } from './count-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Counts = Parameters<Parameters<typeof createCountQueue>[0]>[0]

/** A transaction that waits until it is told what came of it. */
type Transaction = {
  /** The keys of its counts, in their order. */
  keys: string[]
  commit: () => Promise<void>
  fail: (error: unknown) => Promise<void>
}

const settle = () => vi.advanceTimersByTimeAsync(0)

/** A queue before a database that keeps every transaction waiting. */
function makeQueue() {
  const transactions: Transaction[] = []
  const queue = createCountQueue(
    (counts: Counts) =>
      new Promise((resolve, reject) => {
        transactions.push({
          keys: counts.map(({ count }) => count.key),
          commit: async () => {
            resolve(counts.map(() => ({ outcome: 'not_in_list' })))
            await settle()
          },
          fail: async (error) => {
            reject(error)
            await settle()
          },
        })
      }),
  )
  const answers = new Map<string, string>()
  /** How many transactions had been sent when a count was answered. */
  const sentBefore = new Map<string, number>()

  /** Counts of a company, made just now; what each of them was answered stands under its key. */
  const count = async (tenantId: string, ...keys: string[]) => await countAfter(0, tenantId, keys)

  /** The same of so many milliseconds before. */
  async function countAfter(ageMs: number, tenantId: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      queue(
        { tenantId, userId: 'user', sessionId: 'session' },
        {
          key,
          hash: key,
          plans: [],
          codes: [key],
          quantity: 1,
          location: 'PRIMARY',
          source: 'monthly',
          session: 'Monthly',
          at: new Date(Date.now() - ageMs),
          sentAt: null,
          day: null,
          recount: false,
        },
      ).then(
        (outcome) => {
          answers.set(key, outcome.outcome)
          sentBefore.set(key, transactions.length)
        },
        (error: unknown) => answers.set(key, String(error)),
      )
    }
    await settle()
  }

  const sent = () => transactions.map(({ keys }) => keys)
  const at = (place: number) => {
    const transaction = transactions[place]
    if (transaction === undefined) throw new Error(`There are ${transactions.length} transactions.`)
    return transaction
  }
  return { count, countAfter, sent, at, answers, sentBefore }
}

const keysOf = (company: string, counts: number) => Array.from({ length: counts }, (_, i) => `${company}${i}`)

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(`error ${code}`, 0, 'error'), { code })
}

describe('counts that wait at the same moment', () => {
  it('go into one transaction in the order they came, 48 at most, and the rest into the next', async () => {
    const { count, sent, at, answers } = makeQueue()
    const keys = keysOf('a', 50)
    await count('A', ...keys)
    // One company's counts are never in two transactions.
    expect(sent()).toEqual([keys.slice(0, 48)])
    await at(0).commit()
    expect(sent()).toEqual([keys.slice(0, 48), keys.slice(48)])
    expect([...answers.keys()]).toEqual(keys.slice(0, 48))
    await at(1).commit()
    expect(answers.get('a49')).toBe('not_in_list')
  })

  it('go with those of other companies into the next transaction, while one is on its way', async () => {
    const { count, sent, at } = makeQueue()
    for (const company of ['A', 'B', 'C']) await count(company, company)
    expect(sent()).toEqual([['A']])
    await at(0).commit()
    expect(sent()).toEqual([['A'], ['B', 'C']])
  })

  it('go apart from other companies where they are late, and in their order', async () => {
    const { count, countAfter, sent, at } = makeQueue()
    await count('A', 'a1')
    await countAfter(121_000, 'B', ['b1', 'b2'])
    await count('B', 'b3')
    await count('C', 'c1')
    await countAfter(120_000, 'C', ['c2'])
    expect(sent()).toEqual([['a1'], ['b1', 'b2']])
    await at(0).commit()
    expect(sent().slice(2)).toEqual([['c1', 'c2']])
    await at(2).commit()
    expect(sent()).toHaveLength(3)
    await at(1).commit()
    expect(sent().slice(3)).toEqual([['b3']])
  })

  it('wait for the late ones of their own company, and for no others', async () => {
    const { count, countAfter, sent, at } = makeQueue()
    await count('A', 'a1')
    await countAfter(121_000, 'A', ['a2'])
    await count('A', 'a3')
    await count('B', 'b1')
    expect(sent()).toEqual([['a1']])
    await at(0).commit()
    expect(sent().slice(1)).toEqual([['b1'], ['a2', 'a3']])
  })

  it('go into a second transaction, and into no third, while the first takes longer than 25 ms', async () => {
    const { count, sent, at } = makeQueue()
    for (const company of ['A', 'B', 'C']) await count(company, company)
    await vi.advanceTimersByTimeAsync(24)
    expect(sent()).toEqual([['A']])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent()).toEqual([['A'], ['B', 'C']])
    await count('D', 'D')
    await vi.advanceTimersByTimeAsync(25)
    expect(sent()).toEqual([['A'], ['B', 'C']])
    await at(1).commit()
    expect(sent().slice(2)).toEqual([['D']])
  })

  it('wait while a count of their company is on its way, however long, and others do not', async () => {
    const { count, sent, at } = makeQueue()
    await count('A', 'a1')
    await count('A', 'a2')
    await count('B', 'b1')
    await vi.advanceTimersByTimeAsync(25)
    expect(sent()).toEqual([['a1'], ['b1']])
    await at(1).commit()
    expect(sent()).toEqual([['a1'], ['b1']])
    await at(0).commit()
    expect(sent()).toEqual([['a1'], ['b1'], ['a2']])
  })

  it('have the next transaction under way before they are answered', async () => {
    const { count, at, sentBefore } = makeQueue()
    await count('A', 'a1')
    await count('B', 'b1')
    await at(0).commit()
    expect(sentBefore.get('a1')).toBe(2)
  })
})

describe('counts whose transaction fails', () => {
  it('are tried alone, before all that came later, and only the guilty one has the error', async () => {
    const { count, sent, at, answers } = makeQueue()
    await count('A', 'a1', 'a2')
    await count('A', 'a3')
    await at(0).fail(databaseError('23514'))
    expect(sent()).toEqual([['a1', 'a2'], ['a1']])
    await at(1).commit()
    await at(2).fail(databaseError('23514'))
    expect(sent().slice(1)).toEqual([['a1'], ['a2'], ['a3']])
    await at(3).commit()
    expect(Object.fromEntries(answers)).toEqual({
      a1: 'not_in_list',
      a2: 'error: error 23514',
      a3: 'not_in_list',
    })
  })

  it('all have the error at once when the database is away', async () => {
    const { count, sent, at, answers } = makeQueue()
    await count('A', 'a1', 'a2')
    await at(0).fail(new Error('Connection terminated'))
    expect(sent()).toEqual([['a1', 'a2']])
    expect([...answers.values()]).toEqual(['Error: Connection terminated', 'Error: Connection terminated'])
    await count('A', 'a3')
    expect(sent().at(-1)).toEqual(['a3'])
  })
})

const locked = databaseError('55P03')

describe('counts of several companies whose transaction fails', () => {
  /** Those of A, B and C, sent in one transaction. */
  async function makeBatch() {
    const queue = makeQueue()
    await queue.count('Z', 'z1')
    await queue.count('A', 'a1', 'a2')
    await queue.count('B', 'b1')
    await queue.count('C', 'c1', 'c2')
    await queue.at(0).commit()
    expect(queue.sent().at(-1)).toEqual(['a1', 'a2', 'b1', 'c1', 'c2'])
    return queue
  }

  it('go again company by company, the next when one takes longer than 25 ms, three at a time', async () => {
    const { sent, at, answers } = await makeBatch()
    await at(1).fail(locked)
    expect(sent().slice(2)).toEqual([['a1', 'a2']])
    await vi.advanceTimersByTimeAsync(24)
    expect(sent().slice(2)).toEqual([['a1', 'a2']])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent().slice(2)).toEqual([['a1', 'a2'], ['b1']])
    await vi.advanceTimersByTimeAsync(25)
    expect(sent().slice(2)).toEqual([['a1', 'a2'], ['b1'], ['c1', 'c2']])
    await at(4).commit()
    expect([...answers.keys()]).toEqual(['z1', 'c1', 'c2'])
  })

  it('hold up no other company, and none of their own that was recorded, however long others are tried', async () => {
    const { count, sent, at } = await makeBatch()
    await at(1).fail(locked)
    await vi.advanceTimersByTimeAsync(50)
    await at(4).commit()
    // A and B are on their way, and nobody knows yet whether they wait for a lock.
    await count('C', 'c3')
    await count('D', 'd1')
    expect(sent().slice(5)).toEqual([['c3']])
    await at(5).commit()
    expect(sent().slice(6)).toEqual([['d1']])
  })

  it('wait behind the first of their company until that is through, and then go with others again', async () => {
    const { count, sent, at, answers } = await makeBatch()
    await at(1).fail(locked)
    await count('A', 'a3')
    await at(2).fail(locked)
    expect(sent().slice(2)).toEqual([['a1', 'a2'], ['b1']])
    await at(3).commit()
    await at(4).commit()
    await vi.advanceTimersByTimeAsync(300)
    expect(sent().slice(5)).toEqual([['a1']])
    await count('B', 'b2')
    await count('B', 'b3')
    await at(5).commit()
    expect(sent().slice(6)).toEqual([['b2'], ['a2']])
    await at(7).commit()
    await at(6).commit()
    expect(sent().slice(8)).toEqual([['a3', 'b3']])
    await at(8).commit()
    expect([...answers.keys()].filter((key) => key.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
  })

  it('go apart also after one was given up, until another of their company is recorded', async () => {
    const { count, sent, at, answers } = makeQueue()
    await count('A', 'a1')
    await at(0).fail(locked)
    await count('A', 'a2', 'a3')
    await vi.advanceTimersByTimeAsync(10_000)
    await at(1).fail(locked)
    expect(answers.get('a1')).toBe('error: error 55P03')
    await count('B', 'b1')
    expect(sent().slice(2)).toEqual([['a2', 'a3'], ['b1']])
    await count('B', 'b2')
    await at(2).commit()
    await count('A', 'a4')
    await at(3).commit()
    expect(sent().slice(4)).toEqual([['b2', 'a4']])
  })
})

describe('counts of a company whose rows somebody else has locked', () => {
  it('rest for 300 ms and are tried again, while other companies go on', async () => {
    const { count, sent, at, answers } = makeQueue()
    await count('A', 'a1')
    await count('A', 'a2')
    await at(0).fail(locked)
    await count('B', 'b1')
    expect(sent()).toEqual([['a1'], ['b1']])
    await vi.advanceTimersByTimeAsync(299)
    expect(sent()).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent()).toEqual([['a1'], ['b1'], ['a1']])
    await at(2).commit()
    expect(sent().at(-1)).toEqual(['a2'])
    expect(answers.get('a1')).toBe('not_in_list')
  })

  it('are given up ten seconds after they came', async () => {
    const { count, sent, at, answers } = makeQueue()
    await count('A', 'a1')
    await count('B', 'b1')
    await vi.advanceTimersByTimeAsync(9_999)
    await at(0).fail(locked)
    expect(answers.size).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await at(1).fail(locked)
    expect(Object.fromEntries(answers)).toEqual({ b1: 'error: error 55P03' })
    await vi.advanceTimersByTimeAsync(300)
    await at(2).fail(locked)
    expect(answers.get('a1')).toBe('error: error 55P03')
    expect(sent()).toHaveLength(3)
  })

  it('rest no longer than they have to when others fail', async () => {
    const { count, at, answers } = makeQueue()
    await count('A', 'a1')
    await at(0).fail(databaseError('57014'))
    expect(answers.get('a1')).toBe('error: error 57014')
  })
})
