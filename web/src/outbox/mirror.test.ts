import { expect, it } from 'vitest'
import { createMirror } from './mirror.ts'
import type { Job } from './store.ts'

const job = (id: string): Job<string> => ({
  id,
  group: 'g',
  owner: 'o',
  page: 'p',
  value: id,
  isEntry: true,
  state: 'waiting',
  refusal: null,
  sent: true,
})

it('counts what was stored once, whether the store was read before or after that was written there', () => {
  const mirror = createMirror<string, string>('p')
  const figures = () => {
    const { jobs, stored } = mirror.getState()
    return [jobs.map(({ id }) => id), stored.get('g') ?? 0]
  }
  mirror.load([job('A'), job('B')], new Map())
  const answer = { reply: 'stored' }
  mirror.apply({ kind: 'answered', answers: [{ job: job('A'), answer, storedEntries: 1, isKept: false }] })
  expect(figures()).toEqual([['B'], 1])
  mirror.load([job('A'), job('B')], new Map())
  expect(figures()).toEqual([['B'], 1])
  mirror.load([job('B')], new Map([['g', 1]]))
  expect(figures()).toEqual([['B'], 1])
})
