import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')
const script = z.object({
  checkNode: z.custom<(version: string) => void>((value) => typeof value === 'function'),
})

let checkNode: (version: string) => void
beforeAll(async () => {
  const loaded: unknown = await import(pathToFileURL(join(root, 'scripts/install.mjs')).href)
  checkNode = script.parse(loaded).checkNode
})

it('a Node that the program cannot be built with is refused in a sentence', () => {
  for (const version of ['18.20.8', '20.11.0', '20.18.3', '21.7.3', '22.0.0', '22.11.0']) {
    expect(() => checkNode(version)).toThrow(
      `This program needs Node 20.19, or 22.12 or newer, and this is Node ${version}: install a newer one and try again.`,
    )
  }
})

it('a Node that the program can be built with is taken', () => {
  for (const version of ['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.1.0']) {
    expect(() => checkNode(version)).not.toThrow()
  }
})

it('the README and package.json ask for the Node that vite asks for', () => {
  const engines = z.object({ engines: z.object({ node: z.string() }) })
  const nodeOf = (file: string) =>
    engines.parse(JSON.parse(readFileSync(join(root, file), 'utf8'))).engines.node
  expect(nodeOf('package.json')).toBe('^20.19.0 || >=22.12.0')
  expect(nodeOf('node_modules/vite/package.json')).toBe('^20.19.0 || >=22.12.0')
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('20.19, or 22.12 or newer, with npm')
})

describe('on a fresh clone', () => {
  const read = (script: string) => readFileSync(join(root, 'scripts', script), 'utf8')
  const { scripts: commands } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const scriptsOf = Object.values(commands).flatMap(
    (command) => /^node scripts\/([\w-]+\.mjs)/.exec(command)?.[1] ?? [],
  )

  /** What a script loads before its first line runs, through all scripts that it imports. */
  function loadedAtOnce(script: string, seen: Set<string> = new Set()): string[] {
    if (seen.has(script) || !script.endsWith('.mjs')) return []
    seen.add(script)
    const imports = [...read(script).matchAll(/^(?:import|\} from)\b.*?'([^']+)'/gm)].map(
      ([, from = '']) => from,
    )
    return imports.flatMap((from) => {
      if (from.startsWith('.')) return loadedAtOnce(join(dirname(script), from), seen)
      return from.startsWith('node:') ? [] : [from]
    })
  }

  it('no command loads a package before the packages are there', () => {
    const loaded = scriptsOf.flatMap((script) =>
      loadedAtOnce(script).map((from) => `${script} loads ${from}`),
    )
    expect(scriptsOf.length).toBeGreaterThan(20)
    expect(loaded).toEqual([])
  })

  it('every command that needs packages installs them', () => {
    // They read what `npm test` and an installation have left.
    const readers = ['conformance.mjs', 'notices.mjs']
    const without = scriptsOf.filter((script) => !read(script).includes("from './install.mjs'"))
    expect(without.filter((script) => !readers.includes(script))).toEqual([])
  })
})
