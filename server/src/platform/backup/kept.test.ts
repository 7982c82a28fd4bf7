import { expect, it } from 'vitest'
import { findNewest, isDue, listBegun, listMade, listSurplus, momentOf, nameAt } from './kept.ts'

it('a backup is named by the moment it was begun', () => {
  const name = 'inventory-manager-2026-11-24T02-00-07Z.backup'
  expect(nameAt(new Date('2026-11-24T02:00:07.900Z'))).toBe(name)
  expect(momentOf(name)).toEqual(new Date('2026-11-24T02:00:07Z'))
})

it('the last 7 days and the last of each of 4 weeks before stay, all others of the program go', () => {
  const days = Array.from({ length: 60 }, (_, day) => new Date(Date.UTC(2026, 8, 26 + day, 1)))
  const names = [...days.map(nameAt), 'inventory-manager-2026-11-20T00-30-00Z.backup']
  const surplus = new Set(listSurplus(names))
  expect(names.filter((name) => !surplus.has(name))).toEqual([
    'inventory-manager-2026-11-01T01-00-00Z.backup',
    'inventory-manager-2026-11-08T01-00-00Z.backup',
    'inventory-manager-2026-11-15T01-00-00Z.backup',
    'inventory-manager-2026-11-18T01-00-00Z.backup',
    'inventory-manager-2026-11-19T01-00-00Z.backup',
    'inventory-manager-2026-11-20T01-00-00Z.backup',
    'inventory-manager-2026-11-21T01-00-00Z.backup',
    'inventory-manager-2026-11-22T01-00-00Z.backup',
    'inventory-manager-2026-11-23T01-00-00Z.backup',
    'inventory-manager-2026-11-24T01-00-00Z.backup',
  ])
})

it('night for night the weekly ones are there, because each was a daily one before', () => {
  let names: string[] = []
  for (let day = 0; day < 60; day += 1) {
    names.push(nameAt(new Date(Date.UTC(2026, 8, 26 + day, 1))))
    const surplus = new Set(listSurplus(names))
    names = names.filter((name) => !surplus.has(name))
  }
  expect(names).toHaveLength(10)
  expect(names[0]).toBe('inventory-manager-2026-11-01T01-00-00Z.backup')
})

it('what the program did not name is none of its backups', () => {
  const others = [
    'monday.backup',
    'inventory-manager-2026-11-24.backup',
    'inventory-manager-2020-99-99T99-99-99Z.backup',
    'inventory-manager-2020-01-01T01-00-00Z.backup.old',
    'copy of inventory-manager-2020-01-01T01-00-00Z.backup',
  ]
  expect(listMade(others)).toEqual([])
  expect(listBegun([...others, 'monday.backup.0a1b2c3d.partial'])).toEqual([])
  expect(listBegun(['inventory-manager-2020-01-01T01-00-00Z.backup.0a1b2c3d.partial'])).toHaveLength(1)
})

it('the newest is none from the future, as the clock was wrong then', () => {
  const now = new Date('2026-11-24T02:00:00Z')
  const names = ['2026-11-22T02:00:07Z', '2026-11-23T02:00:07Z', '2031-01-01T02:00:07Z'].map((moment) =>
    nameAt(new Date(moment)),
  )
  expect(findNewest([...names, 'monday.backup'], now)).toEqual(new Date('2026-11-23T02:00:07Z'))
  expect(findNewest(['monday.backup'], now)).toBeNull()
})

it('one is due where none was made since two in the morning, by the clock of the machine', () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute)
  expect(isDue([], at(24, 14))).toBe(true)
  expect(isDue([nameAt(at(24, 2, 1))], at(24, 14))).toBe(false)
  expect(isDue([nameAt(at(23, 2, 1))], at(24, 1, 59))).toBe(false)
  expect(isDue([nameAt(at(23, 2, 1))], at(24, 2))).toBe(true)
  expect(isDue([nameAt(at(23, 23))], at(24, 14))).toBe(true)
  expect(isDue([nameAt(new Date(2031, 0, 1))], at(24, 14))).toBe(true)
})
