import bwipjs from 'bwip-js/node'
import { describe, expect, test } from 'vitest'
import { encodeCode128, isPrintableAscii, prefixModules } from './code128.ts'

const printable = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join('')

/** Repeatable random numbers from 0 up to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Texts of 1 to 48 characters in which runs of digits are as common as anything else. */
function randomTexts(count: number): string[] {
  const random = randomNumbers(128)
  const draw = (from: string) => from.charAt(Math.floor(random() * from.length))
  return Array.from({ length: count }, () => {
    const digitShare = random()
    const length = 1 + Math.floor(random() * 48)
    return Array.from({ length }, () => draw(random() < digitShare ? '0123456789' : printable)).join('')
  })
}

function bwipWidths(text: string, options: { parse?: boolean; raw?: boolean } = {}): number[] {
  const [symbol] = bwipjs.raw({ bcid: 'code128', text, ...options })
  return symbol !== undefined && 'sbs' in symbol ? Array.from(symbol.sbs) : []
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The widths of each value, taken from bwip-js by asking for it raw behind a start character. */
const values = new Map(
  Array.from({ length: 106 }, (_, value) => {
    const widths = bwipWidths(`^103^${String(value).padStart(3, '0')}`, { raw: true })
    return [widths.slice(6, 12).join(''), value]
  }),
)

/** Reads a symbol as a scanner would, with start, checksum and stop. */
function decode(widths: readonly number[]): string {
  const patterns = widths.join('').match(/.{6}/g) ?? []
  const read = patterns.map((pattern) => values.get(pattern) ?? -1)
  const [start = -1, ...data] = read.slice(0, -2)
  const checksum = sum([start, ...data.map((value, place) => value * (place + 1))]) % 103
  if (widths.slice(-7).join('') !== '2331112') throw new Error('no stop pattern')
  if (read.at(-2) !== checksum) throw new Error('wrong checksum')
  return textOf(start, data)
}

/** Follows code sets B (start value 104) and C (105). */
function textOf(start: number, data: readonly number[]): string {
  let set = start
  let text = ''
  for (const value of data) {
    if (set === 104 && value === 99) set = 105
    else if (set === 105 && value === 100) set = 104
    else text += set === 105 ? String(value).padStart(2, '0') : String.fromCharCode(value + 32)
  }
  return text
}

describe('encodeCode128', () => {
  test('is exactly as long as bwip-js on 20,000 random texts, and reads back as the text', () => {
    const wrong = [printable, ...randomTexts(20_000)].filter((text) => {
      const { modules, widths } = encodeCode128(text)
      return modules !== sum(bwipWidths(text)) || decode(widths) !== text
    })
    expect(wrong).toEqual([])
  }, 60_000)

  test('says the sum of the widths as the number of modules', () => {
    const { modules, widths } = encodeCode128('SKU-10023')
    expect(sum(widths)).toBe(modules)
    expect(modules).toBe(123)
  })

  test('starts and ends with a bar', () => {
    expect(encodeCode128('A').widths).toHaveLength(25)
    expect(encodeCode128('A').widths.slice(-7)).toEqual([2, 3, 3, 1, 1, 1, 2])
  })

  test('needs half the length for digits', () => {
    expect(encodeCode128('0123456789').modules).toBe(encodeCode128('ABCDE').modules)
  })

  test.each(['', 'Größe', 'tab\there', '\u007f', '\ud800', '１２'])('refuses %j', (text) => {
    expect(isPrintableAscii(text)).toBe(false)
    expect(() => encodeCode128(text)).toThrow('Code 128 labels hold printable ASCII only.')
  })
})

test('prefixModules gives the length of the symbol of each beginning of a text', () => {
  const text = 'AB123456-7'
  const beginnings = Array.from(text, (_, place) => text.slice(0, place + 1))
  expect(prefixModules(text)).toEqual(beginnings.map((beginning) => encodeCode128(beginning).modules))
})
