import { describe, expect, it } from 'vitest'
import { createSightings } from './sightings.ts'

/** What is taken of pictures 100 ms apart, each with its codes. */
function taken(pictures: string[][]): string[] {
  const { see } = createSightings(() => false)
  return pictures.flatMap((codes, index) => see(codes, index * 100))
}

const nothing = (pictures: number) => Array.from({ length: pictures }, () => [])
const shown = (code: string, pictures: number) => Array.from({ length: pictures }, () => [code])

describe('a code before the camera', () => {
  it('is taken once, however long it stays', () => {
    expect(taken(shown('A-1', 50))).toEqual(['A-1'])
  })

  it('that flickers is still the same', () => {
    expect(taken([...shown('A-1', 3), ...nothing(8), ...shown('A-1', 3)])).toEqual(['A-1'])
  })

  it('is taken again after a second out of the picture', () => {
    expect(taken([...shown('A-1', 3), ...nothing(11), ...shown('A-1', 3)])).toEqual(['A-1', 'A-1'])
  })

  it('seen in one picture only may be a misreading', () => {
    expect(taken([...shown('A-7', 1), ...shown('A-1', 3)])).toEqual(['A-1'])
  })

  it('is taken also where each picture takes longer than that', () => {
    const { see } = createSightings(() => false)
    expect([0, 1_500, 3_000].flatMap((at) => see(['A-1'], at))).toEqual(['A-1'])
  })

  it.each([
    'https://example.com/01/04006381333931/10/LOT-7',
    '(01)04006381333931(10)LOT-7',
    ']C1010400638133393110LOT-7',
  ])('and the same number in another symbol beside it are one thing: %s', (other) => {
    const both = ['4006381333931', other]
    expect(taken([both, [other], ['4006381333931'], both, both])).toHaveLength(1)
    expect(taken([both])).toEqual([])
  })

  it('is one with 12 digits as bars and 13 in a link beside them', () => {
    const both = ['036000291452', 'https://example.com/01/00036000291452']
    expect(taken([both, both, both])).toHaveLength(1)
  })

  it('beside another is taken with it', () => {
    expect(
      taken([
        ['A', 'B'],
        ['A', 'B'],
        ['A', 'B'],
      ]),
    ).toEqual(['A', 'B'])
  })
})
