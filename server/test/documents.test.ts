import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shortages } from '../src/platform/http/app-error.ts'

const root = resolve(import.meta.dirname, '../..')
const skipped = new Set(['node_modules', 'dist', '.git', '.cache', 'data', 'data-demo', 'test-results'])

async function listFiles(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : await listFiles(path, isWanted)
    return isWanted(entry.name) ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

/** The pages of the repository: their place in it, and their text. */
let pages: { name: string; text: string }[]
beforeAll(async () => {
  const files = await listFiles(root, (name) => name.endsWith('.md'))
  pages = await Promise.all(
    files.map(async (file) => ({ name: relative(root, file), text: await readFile(file, 'utf8') })),
  )
})

/** The names by which links reach the headings of a page. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it('every link of a page to another leads somewhere', () => {
  const texts = new Map(pages.map(({ name, text }) => [name, text]))
  const links = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => ({ name, to })),
  )
  const broken = links.filter(({ name, to }) => {
    if (/^https?:/.test(to)) return false
    const [path = '', anchor] = to.split('#')
    const file = path === '' ? name : join(dirname(name), path)
    if (!existsSync(join(root, file))) return true
    return anchor !== undefined && !anchorsOf(texts.get(file) ?? '').includes(anchor)
  })
  expect(links.length).toBeGreaterThan(40)
  expect(broken).toEqual([])
})

it('the handbook says what helps against each thing that a node may be short of', () => {
  const handbook = pages.find(({ name }) => name === 'docs/operating.md')?.text ?? ''
  expect(shortages.filter((what) => !handbook.includes(`\`Short of ${what}.\``))).toEqual([])
})

it('every command that a page names is one', async () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\bnpm run ([a-z][a-z:-]*[a-z])/g)].map(([, script = '']) => ({ name, script })),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([])
})

it('the functions of the database that the architecture names are there', async () => {
  const schema = await readFile(join(root, 'server/schema.sql'), 'utf8')
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  const named = [...text.matchAll(/`(record_\w+|undo_\w+|count_or_\w+)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !schema.includes(`FUNCTION public.${name}(`))).toEqual([])
})

const handbook = 'docs/operating.md'

it('every alert leads to a trouble of the handbook', async () => {
  const text = pages.find(({ name }) => name === handbook)?.text ?? ''
  const troubles = [...text.matchAll(/^(\d+)\. \*\*/gm)].map(([, number]) => Number(number))
  expect(troubles).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  const alerts = await readFile(join(root, 'ops/prometheus/alerts.yml'), 'utf8')
  const named = [...alerts.matchAll(/docs\/operating\.md, trouble (\d+)/g)].map(([, number]) =>
    Number(number),
  )
  expect(named.length).toBeGreaterThan(7)
  expect(named.filter((number) => !troubles.includes(number))).toEqual([])
})

it('every sentence that the handbook explains is one of the program', async () => {
  const text = pages.find(({ name }) => name === handbook)?.text ?? ''
  const list = text.slice(text.indexOf('## What it says'))
  const sources = await Promise.all(
    ['server/src', 'contract/src', 'scripts'].map(
      async (folder) => await listFiles(join(root, folder), (name) => /\.(ts|mjs)$/.test(name)),
    ),
  )
  const source = (await Promise.all(sources.flat().map((file) => readFile(file, 'utf8')))).join('\n')
  // Where the program fills something in, the handbook has '…'.
  const said = [...list.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, sentence = '']) => sentence)
  const unknown = said.filter((sentence) =>
    sentence.split('…').some((piece) => !source.includes(piece.trim().replace(/\.$/, ''))),
  )
  expect(said.length).toBeGreaterThan(8)
  expect(unknown).toEqual([])
})

it('every setting stands in the README', async () => {
  const source = await readFile(join(root, 'server/src/platform/config.ts'), 'utf8')
  const settings = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  const readme = pages.find(({ name }) => name === 'README.md')?.text ?? ''
  expect(settings.length).toBeGreaterThan(20)
  expect(settings.filter((name) => !readme.includes(`| \`${name}\``))).toEqual([])
})

it('every folder and browser that can be named to a script stands in a page', async () => {
  const scripts = await listFiles(join(root, 'scripts'), (name) => name.endsWith('.mjs'))
  const texts = await Promise.all(scripts.map((file) => readFile(file, 'utf8')))
  const read = texts.join('\n').match(/(?<=\benv\.)[A-Z]+(?:_[A-Z]+)+/g) ?? []
  expect(read).toContain('DEMO_DATA_DIR')
  const written = pages.map(({ text }) => text).join('\n')
  expect([...new Set(read)].filter((name) => !written.includes(`\`${name}\``))).toEqual([])
})

it('a function of the database that nothing calls any more is listed as kept for older nodes', async () => {
  const schema = await readFile(join(root, 'server/schema.sql'), 'utf8')
  const files = await listFiles(join(root, 'server/src'), (name) => /(?<!\.test)\.ts$/.test(name))
  const source = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
  const names = [...schema.matchAll(/^CREATE OR REPLACE FUNCTION public\.(\w+)/gm)].map(
    ([, name = '']) => name,
  )
  const count = (text: string, name: string) => text.split(new RegExp(`\\b${name}\\b`)).length - 1
  const unused = names.filter((name) => count(source, name) === 0 && count(schema, name) === 1)
  expect(names.length).toBeGreaterThan(30)
  const kept = pages.find(({ name }) => name === 'CONTRIBUTING.md')?.text ?? ''
  expect(unused.filter((name) => !kept.includes(`| \`${name}\``))).toEqual([])
})

describe('what a comment cites', () => {
  let sources: { name: string; text: string }[]
  beforeAll(async () => {
    const folders = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts', 'packages']
    const isSource = (name: string) => /\.(tsx?|mjs|sql|css)$/.test(name)
    const files = await Promise.all(
      folders.map(async (folder) => await listFiles(join(root, folder), isSource)),
    )
    sources = await Promise.all(
      files.flat().map(async (file) => ({ name: relative(root, file), text: await readFile(file, 'utf8') })),
    )
  })

  it('is a page of the repository, with that heading', () => {
    const texts = new Map(pages.map(({ name, text }) => [name, text]))
    const cited = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\b(docs\/[\w/-]+\.md)(?:, '([^']+)')?/g)].map(([, page = '', heading = '']) => ({
        name,
        page,
        heading: heading.replaceAll(/\s+\*\s+/g, ' '),
      })),
    )
    expect(cited.length).toBeGreaterThan(8)
    expect(cited.filter(({ page, heading }) => !texts.get(page)?.includes(`# ${heading}`))).toEqual([])
  })

  it('is a statement of the specification, in the section it names', () => {
    const sections = pages.find(({ name }) => name === 'docs/conformance.md')?.text.split(/^## /m) ?? []
    const statements = new Map(
      sections.map((section) => [section[0], section.match(/^\| [^|]+/gm)?.join('\n') ?? '']),
    )
    const cited = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\(specification (\d), '([^']+)'/g)].map(([, section = '', quote = '']) => ({
        name,
        section,
        quote: quote.replaceAll(/\s+\*\s+/g, ' '),
      })),
    )
    expect(cited.length).toBeGreaterThan(8)
    expect(cited.filter(({ section, quote }) => !statements.get(section)?.includes(quote))).toEqual([])
  })

  it('is a decision that was written down', () => {
    const known = pages.flatMap(({ name }) => /^docs\/decisions\/(\d+)-/.exec(name)?.[1] ?? []).map(Number)
    const cited = [...sources, ...pages].flatMap(({ name, text }) =>
      [...text.matchAll(/\bdecision (\d+)/g)].map(([, number]) => ({ name, number: Number(number) })),
    )
    expect(cited.length).toBeGreaterThan(8)
    expect(cited.filter(({ number }) => !known.includes(number))).toEqual([])
  })

  it('is no document that is kept elsewhere', () => {
    const elsewhere = /(?:\/\/|\*).*[(; ](?:decisions '|(?:decisions, |(?:interface|security|style),? )['\d])/
    const cited = sources.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line) => (elsewhere.test(line) ? [`${name}: ${line.trim()}`] : [])),
    )
    expect(cited).toEqual([])
    const names = pages.map(({ name }) => `/${name}`)
    const mentioned = sources.flatMap(({ name, text }) =>
      (text.match(/(?<![.\w/-])\w[\w/-]*\.md\b/g) ?? []).map((page) => ({ name, page })),
    )
    expect(mentioned.length).toBeGreaterThan(20)
    expect(mentioned.filter(({ page }) => !names.some((name) => name.endsWith(`/${page}`)))).toEqual([])
  })
})

it('a folder of the web application with a name of its own is explained in the architecture', async () => {
  const foldersOf = async (part: string) =>
    (await readdir(join(root, part, 'src'), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  const [contract, web] = await Promise.all([foldersOf('contract'), foldersOf('web')])
  const text = pages.find(({ name }) => name === 'ARCHITECTURE.md')?.text ?? ''
  const rows = text.slice(text.indexOf('| in `web/src`'), text.indexOf('## Words')).split('\n')
  const [own, others] = [1, 2].map((cell) => rows.map((row) => row.split('|')[cell] ?? '').join())
  const foundations = ['api', 'app', 'lib', 'ui']
  const named = web.filter((name) => !contract.includes(name) && !foundations.includes(name))
  const missing = contract.filter((name) => !web.includes(name))
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((name) => own?.includes(`\`${name}\``) !== true)).toEqual([])
  expect(missing.filter((name) => others?.includes(`\`${name}\``) !== true)).toEqual([])
})
