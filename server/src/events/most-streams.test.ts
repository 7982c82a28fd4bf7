import { describe, expect, it } from 'vitest'
import { refusalOfOneMore } from './most-streams.ts'

const tenantId = 'company'
const me = { tenantId, userId: 'me', sessionId: 'mine' }

/** So many streams, each of a session of its own. */
const streams = (count: number, userOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => ({ tenantId, userId: userOf(at), sessionId: `session ${at}` }))

const forYou = 'As many streams of news are open for you as may be. Close some of them first.'

describe('streams of news', () => {
  it('are 500 of a person at most, however often they are signed in', () => {
    const others = streams(100, () => 'colleague')
    expect(refusalOfOneMore([...streams(499, () => 'me'), ...others], me)).toBeNull()
    expect(refusalOfOneMore([...streams(500, () => 'me'), ...others], me)?.message).toBe(forYou)
  })

  it('are 3,000 of a company at most, however many people it has', () => {
    const ofMany = (count: number) => streams(count, (at) => `person ${at % 100}`)
    expect(refusalOfOneMore(ofMany(2_999), me)).toBeNull()
    expect(refusalOfOneMore(ofMany(3_000), me)?.message).toBe(
      'As many streams of news are open for your company as may be. Close some of them first.',
    )
  })
})
