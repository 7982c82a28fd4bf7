import { expect, it } from 'vitest'
import { toCountKeys } from './to-count-keys.ts'

it('what changes of components at a location is loaded again by who counts there', () => {
  expect(toCountKeys([{ location: 'SECONDARY' }, { location: 'SECONDARY' }])).toEqual([
    ['/api/components/to-count', 'SECONDARY'],
    ['/api/components/high-volume-for-day', 'SECONDARY'],
  ])
})

it('what says no location, or comes back from quarantine to one that it does not say, is loaded again everywhere', () => {
  const everywhere = [['/api/components/to-count'], ['/api/components/high-volume-for-day']]
  expect(toCountKeys([{ location: 'PRIMARY' }, { location: null }])).toEqual(everywhere)
  expect(toCountKeys([{ location: 'QUARANTINE' }])).toEqual(everywhere)
})
