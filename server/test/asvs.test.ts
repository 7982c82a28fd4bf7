import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security/asvs.md'), 'utf8')

/** Requirements of levels 1 and 2 by section (ASVS 5.0.0). */
const bySection =
  '1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 ' +
  '5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 ' +
  '8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 ' +
  '12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 ' +
  '16.4:3 16.5:3 17.1:1 17.2:4 17.3:2'

const expected = bySection.split(' ').flatMap((part) => {
  const [section = '', count = '0'] = part.split(':')
  return Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`)
})

const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [requirement = '', , , state = '', why = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return { requirement, state, why }
  })

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(^|\/)(node_modules|dist|\.cache)\//.test(`${name}/`))
    .map((name) => `${folder}/${name}`)
}

const known = [
  ...['server', 'contract', 'web', 'e2e', 'ops', 'bench'].flatMap(filesUnder),
  '.dockerignore',
  'Dockerfile',
]

const isThere = (name: string) => known.some((file) => `/${file}`.endsWith(`/${name}`))

function filesNamedIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name)
  return quoted.filter((name) => /\/\w|\.(ts|md|conf)$|^Docker/.test(name) && !name.startsWith('/'))
}

describe('the table of the security standard', () => {
  it('has one row for each of the 253 requirements, in order', () => {
    expect(rows.map(({ requirement }) => requirement)).toEqual(expected)
    expect(expected).toHaveLength(253)
  })

  it('says of each what holds and where or why, and counts right', () => {
    const states = ['met', 'met, by reading', "operator's part", 'deviation', 'not applicable']
    expect(rows.filter(({ state, why }) => !states.includes(state) || why.length < 3)).toEqual([])
    const counted = (state: string) => rows.filter((row) => row.state === state).length
    const intro = page.split('\n## ', 1)[0]?.replaceAll('\n', ' ')
    expect(intro).toContain(`${counted('met')} are met, with`)
    expect(intro).toContain(`${counted('deviation')} deviate`)
    expect(intro).toContain(`${counted('not applicable')} do not apply`)
  })

  it('names only files that are there', () => {
    const named = rows.flatMap(({ why }) => filesNamedIn(why))
    expect(named.filter((name) => !isThere(name))).toEqual([])
    expect(named.length).toBeGreaterThan(100)
  })
})

describe('what is decided about security', () => {
  const parts = readFileSync(join(root, 'docs/security/rules.md'), 'utf8').split(/^## /m).slice(1)

  it('names in each part the tests that keep it, and only files that are there', () => {
    const isTest = (name: string) => /\.(test|spec)\.ts$/.test(name)
    expect(parts.filter((part) => !filesNamedIn(part).some(isTest))).toEqual([])
    expect(parts.flatMap(filesNamedIn).filter((name) => !isThere(name))).toEqual([])
    expect(parts.length).toBeGreaterThan(8)
  })
})
