import { describe, expect, it } from 'vitest'
import { readJson } from './json-body.ts'

const said = (text: string): string => {
  try {
    return JSON.stringify(readJson(text))
  } catch (error) {
    return error instanceof Error ? error.message : 'something else'
  }
}

describe('a body', () => {
  it.each(['{"a":[1,"b",null,true]}', '"[[["', String.raw`["\\","\"[","\\\\\"{"]`, '7', '[{},{}]'])(
    'is what JSON says it is: %s',
    (text) => {
      expect(said(text)).toBe(text)
    },
  )

  it('may hold as many brackets and commas as it likes within its strings', () => {
    const text = JSON.stringify({ note: `\\"${'[{,'.repeat(500_000)}` })
    expect(said(text)).toBe(text)
  })

  it('may be nested 100 deep, and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(said(nested(100))).toBe(nested(100))
    expect(said(nested(101))).toBe('The request is nested too deeply.')
  })

  it('may hold 150,000 objects and lists, and no more', () => {
    const objects = (count: number) => `[${'{},'.repeat(count - 2)}{}]`
    expect(said(objects(150_000))).toBe(objects(150_000))
    expect(said(objects(150_001))).toBe('The request is too large.')
  })

  it('may hold 400,001 values in one list, and no more', () => {
    const numbers = (count: number) => `[${'1,'.repeat(count - 1)}1]`
    expect(said(numbers(400_001))).toBe(numbers(400_001))
    expect(said(numbers(400_002))).toBe('The request is too large.')
  })

  const namedValues = (count: number, names: number) =>
    `{${Array.from({ length: count }, (_, at) => `"name ${at % names}":1`).join(',')}}`

  it('may name 25,000 values each otherwise, and no more', () => {
    expect(said(namedValues(25_000, 25_000))).toContain('"name 24999":1')
    expect(said(namedValues(25_001, 25_001))).toBe('The request is too large.')
  })

  it('may name more than 100,000 values where 200 names come again, and no more', () => {
    expect(said(namedValues(100_001, 200))).toContain('"name 199":1')
    expect(said(namedValues(100_001, 201))).toBe('The request is too large.')
  })

  it.each(['{', '"', String.raw`"\"`, ']]]]', '{"a":1,}', String.raw`"\\\"`])(
    'that is no JSON is said to be none: %s',
    (text) => {
      expect(said(text)).toBe('The request is not valid JSON.')
    },
  )
})
