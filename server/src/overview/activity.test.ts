import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeActivity } from './activity.ts'

const sources = join(import.meta.dirname, '..')

/** The events that are written out where something is recorded, without those of signing in, which the overview leaves out. */
function recordedEvents(): string[] {
  const paths = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const texts = files.map((file) => readFileSync(join(sources, file), 'utf8'))
  const records = texts.flatMap((text) =>
    Array.from(text.matchAll(/(kind: 'authentication',\s+)?\bevent: '([a-z]+(?:_[a-z]+)+)'/g)),
  )
  return records.flatMap(([, isOfSignIn, event = '']) => (isOfSignIn === undefined ? [event] : []))
}

/** By what is done, where the name is put together there, and records that the overview leaves out. */
const composed = ['high_volume_added', 'high_volume_removed', 'discrepancy_accepted', 'discrepancy_dismissed']
const unlisted = ['weekly_count_saved', 'cycle_count_saved']

function sentenceOf(event: string): string {
  const entry = { kind: 'configuration' as const, event, sku: 'A-1', quantity: 2, location: 'PRIMARY' }
  return describeActivity({ ...entry, user_name: 'Ada', created_at: new Date(0) }, 'all')
}

it('everything the program records is told in words on the overview', () => {
  const events = new Set([...recordedEvents(), ...composed].filter((event) => !unlisted.includes(event)))
  expect(events.size).toBeGreaterThan(40)
  // Without words of its own, an event is told by its name.
  const wordless = [...events].filter((event) => sentenceOf(event).includes(event.replaceAll('_', ' ')))
  expect(wordless).toEqual([])
})

it('the overview says what was done with a weekly list', () => {
  expect(sentenceOf('high_volume_added')).toBe('Ada added components to a weekly list')
  expect(sentenceOf('high_volume_removed')).toBe('Ada took components from a weekly list')
})
