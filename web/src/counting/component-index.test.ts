import { describe, expect, it } from 'vitest'
import { byBin, placesByBin, placesOf, search, soughtIn, withChanged } from './component-index.ts'

const list = [
  { barcode: 'BOLT-8', description: 'Bolt', aliases: ['4006381333931', 'NUT-8'] },
  { barcode: 'NUT-8', description: 'Nut' },
]

describe('a list of components', () => {
  it('is looked up by other barcodes, and by own ones before those', () => {
    const places = placesOf(list)
    expect(['BOLT-8', '4006381333931', 'NUT-8', 'GHOST'].map((code) => places.get(code))).toEqual([
      0,
      0,
      1,
      undefined,
    ])
    expect(placesOf(list.toReversed()).get('NUT-8')).toBe(0)
  })

  it('is looked up by them after something of it has changed', () => {
    const changed = withChanged(list, ['BOLT-8'], (item) => ({ ...item, description: 'Hex bolt' }))
    expect(changed[placesOf(changed).get('4006381333931') ?? -1]).toMatchObject({ description: 'Hex bolt' })
  })

  it('is searched by parts of them', () => {
    expect(search(list, '81333')?.map(({ barcode }) => barcode)).toEqual(['BOLT-8'])
    expect(search(list, 'nut')?.map(({ barcode }) => barcode)).toEqual(['BOLT-8', 'NUT-8'])
    expect(search(list, '  ')).toBeNull()
  })

  it('is searched by words in any order, each of which has to stand somewhere', () => {
    const goods = [
      { barcode: '26 MM', description: 'Müller Dübel', bin: 'A-03' },
      { barcode: 'B', description: 'Müller Schraube 26 mm' },
    ]
    const found = (typed: string) => search(goods, typed)?.map(({ barcode }) => barcode)
    expect(found('dübel müller')).toEqual(['26 MM'])
    expect(found('Müller 26')).toEqual(['26 MM', 'B'])
    expect(found('26 mm a-03')).toEqual(['26 MM'])
    expect(found('müller nagel')).toEqual([])
  })
})

const placed = [
  { barcode: 'A', description: 'In no bin' },
  { barcode: 'B', description: 'Bolt', bin: 'A-10' },
  { barcode: 'C', description: 'Nut', bin: 'b-1' },
  { barcode: 'D', description: 'Washer', bin: 'A-2' },
  { barcode: 'E', description: 'Screw', bin: 'a-10' },
  { barcode: 'F', description: 'In no bin either' },
  { barcode: 'G', description: 'Clip', bin: '2' },
]

const codesOf = (list: readonly { barcode: string }[] | null) => list?.map(({ barcode }) => barcode)

describe('a list of components in bins', () => {
  it('goes from bin to bin as people walk, in a bin as it stood, and last to what lies in none', () => {
    expect(codesOf(byBin(placed))).toEqual(['G', 'D', 'B', 'E', 'C', 'A', 'F'])
    expect(byBin(list)).toBe(list)
  })

  it('goes so once it is loaded anew, with other bins', () => {
    expect(codesOf(byBin(placed))).toHaveLength(7)
    const anew = placed.map((item) => (item.barcode === 'G' ? { ...item, bin: 'A-3' } : item))
    expect(codesOf(byBin(anew))).toEqual(['D', 'G', 'B', 'E', 'C', 'A', 'F'])
  })

  it('is not sorted again where a mark of it changes', () => {
    const changed = withChanged(placed, ['D'], (item) => ({ ...item, description: 'Counted washer' }))
    expect(placesByBin(changed)).toBe(placesByBin(placed))
    expect(byBin(changed)[1]).toEqual({ barcode: 'D', description: 'Counted washer', bin: 'A-2' })
  })

  it('is searched by bins, too, and what is found goes from bin to bin where that is wanted', () => {
    expect(codesOf(search(placed, 'a-1'))).toEqual(['B', 'E'])
    expect(codesOf(search(placed, 'no bin'))).toEqual(['A', 'F'])
    expect(codesOf(search(placed, '-1', placesByBin(placed)))).toEqual(['B', 'E', 'C'])
    expect([soughtIn(placed), soughtIn(list)]).toEqual(['Code, description or bin', 'Code or description'])
  })
})
