import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

/** Turns that go on until they are told what came of them. */
function heldTurns() {
  const begun: string[] = []
  const errors: unknown[] = []
  const endings = new Map<string, (said: 'more' | 'done' | Error) => void>()
  const queue = createFairQueue(
    ({ webhookId }) =>
      new Promise((resolve, reject) => {
        begun.push(webhookId)
        endings.set(webhookId, (said) => (said instanceof Error ? reject(said) : resolve(said)))
      }),
    (error) => errors.push(error),
  )
  return {
    ...queue,
    errors,
    /** The turns that have begun since the last time they were asked for. */
    begun: () => begun.splice(0),
    async end(webhookId: string, said: 'more' | 'done' | Error) {
      endings.get(webhookId)?.(said)
      await setImmediate()
    },
    addAll(tenantId: string, webhooks: number) {
      for (let index = 0; index < webhooks; index += 1) {
        queue.add({ tenantId, webhookId: `${tenantId}${index}` })
      }
    },
  }
}

it('a company has four turns at a time, however many of its webhooks wait', async () => {
  const turns = heldTurns()
  turns.addAll('a', 10)
  expect(turns.begun()).toEqual(['a0', 'a1', 'a2', 'a3'])
  await turns.end('a1', 'done')
  expect(turns.begun()).toEqual(['a4'])
})

it('a webhook with more to do waits behind the others', async () => {
  const turns = heldTurns()
  turns.addAll('a', 5)
  turns.begun()
  await turns.end('a0', 'more')
  expect(turns.begun()).toEqual(['a4'])
  await turns.end('a4', 'done')
  expect(turns.begun()).toEqual(['a0'])
})

it('where all turns are taken, the next is of a company that has none', async () => {
  const turns = heldTurns()
  for (const company of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) turns.addAll(company, 10)
  expect(turns.begun()).toHaveLength(32)
  turns.addAll('late', 1)
  expect(turns.begun()).toEqual([])
  await turns.end('a0', 'more')
  expect(turns.begun()).toEqual(['late0'])
})

it('a webhook that waits or has its turn is not added once more', async () => {
  const turns = heldTurns()
  turns.addAll('a', 5)
  turns.addAll('a', 5)
  turns.begun()
  for (const index of [0, 1, 2, 3]) await turns.end(`a${index}`, 'done')
  expect(turns.begun()).toEqual(['a4'])
})

it('a turn that fails is told and makes room', async () => {
  const turns = heldTurns()
  turns.addAll('a', 5)
  turns.begun()
  await turns.end('a0', new Error('The database is away.'))
  expect(turns.errors).toEqual([new Error('The database is away.')])
  expect(turns.begun()).toEqual(['a4'])
})

it('no turn begins after the stop, which waits for those that have', async () => {
  const turns = heldTurns()
  turns.addAll('a', 5)
  turns.begun()
  let isOver = false
  const stopping = turns.stop().then(() => (isOver = true))
  for (const index of [0, 1, 2]) await turns.end(`a${index}`, 'more')
  expect(isOver).toBe(false)
  await turns.end('a3', 'done')
  await stopping
  expect(turns.begun()).toEqual([])
})
