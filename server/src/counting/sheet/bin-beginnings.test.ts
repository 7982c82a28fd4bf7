import { within } from '@inventory-manager/contract/stock/bins'
import { expect, it } from 'vitest'
import { beginningsOf, behindAll } from './bin-beginnings.ts'

/** As the database makes letters small that are of ASCII alone. */
const plainly = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const byCodePoint = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

const names = ['A', 'a-03', 'Kit', 'KI', 'IX', 'Ä-1', 'Äa', 'ß', 'A~', 'z', 'Regal 1', 'Ελ', 'İ', '\u212a']
const bins = names.concat(
  ['a-03-2', 'A-03', 'A-3', 'AB', 'kit-9', 'K\u0130T', '\u212aIT', '\u212a\u0130T-1', '\u212ai'],
  ['İX', 'ix-2', 'ıx', 'ä-1-2', 'ÄA', 'a~1', 'Z9', 'REGAL 1/7', 'ΕΛ-1', 'ελς', 'i\u0307', 'SS'],
)

it('all bins that belong to a name begin with one of its beginnings, whatever letters they are written in', () => {
  const lost = names.flatMap((name) =>
    bins.filter((bin) => {
      const isFound = beginningsOf(name).some((first) => {
        const own = plainly(bin)
        return byCodePoint(own, first) >= 0 && (first === '' || byCodePoint(own, behindAll(first)) < 0)
      })
      return within([name])(bin) && !isFound
    }),
  )
  expect(lost).toEqual([])
})

it('what begins with a sign outside of ASCII has no beginning to go by', () => {
  expect(beginningsOf('Ä-1')).toEqual([''])
  expect(beginningsOf('A-Ä')).toEqual(['a-'])
  expect(beginningsOf('Ki')).toEqual(['ki', '\u212a', 'k\u0130'])
  expect(['a-', 'z', '\u212a', ''].map(behindAll)).toEqual(['a.', '{', '\u212b', ''])
})
