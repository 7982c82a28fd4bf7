import { expect, it } from 'vitest'
import { countSettled, inParts, newestOfEach } from './choice.ts'
import { sampleDifference } from './sample-difference.ts'

function difference(
  id: string,
  sku: string,
  { at, location = 'PRIMARY' }: { at: string; location?: string },
) {
  return sampleDifference({ id, sku, location, scanned_at: `2026-11-20T${at}:00.000Z` })
}

it('of one SKU at one location only the difference scanned last is booked', () => {
  const items = [
    difference('1', 'A', { at: '09:30' }),
    difference('2', 'A', { at: '09:10' }),
    difference('3', 'A', { at: '07:00', location: 'SECONDARY' }),
    difference('4', 'B', { at: '06:00' }),
    difference('5', 'B', { at: '06:00' }),
  ]
  expect(newestOfEach(items).map(({ id }) => id)).toEqual(['1', '3', '5'])
})

it('what else was found is settled with what is accepted, and not with what is left out', () => {
  const items = [
    difference('1', 'A', { at: '09:30' }),
    difference('2', 'A', { at: '09:10' }),
    difference('3', 'B', { at: '09:20' }),
    difference('4', 'B', { at: '09:10' }),
    difference('5', 'B', { at: '09:00' }),
  ]
  const newest = newestOfEach(items)
  expect(newest.map(({ id }) => id)).toEqual(['1', '3'])
  expect(countSettled(items, newest)).toBe(3)
  expect(countSettled(items, newest.slice(0, 1))).toBe(1)
  expect(countSettled(items, [])).toBe(0)
})

it('parts of a long list keep what was found of one SKU at one location together', () => {
  const items = [
    difference('1', 'A', { at: '08:00' }),
    difference('2', 'B', { at: '08:00' }),
    difference('3', 'C', { at: '08:00' }),
    difference('4', 'B', { at: '09:00' }),
    difference('5', 'A', { at: '09:00', location: 'SECONDARY' }),
  ]
  const parts = inParts(items, 2).map((part) => part.map(({ id }) => id))
  expect(parts).toEqual([['1'], ['2', '4'], ['3', '5']])
})
