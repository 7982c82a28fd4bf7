import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, startTestApp, testPassword, type Person, type TestApp } from './test-app.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** An empty project outside the repository, with the packed client installed in it. */
let folder: string
let installed: string
let app: TestApp
let admin: Person
async function npm(options: string[], cwd: string): Promise<void> {
  await run('npm', [...options, '--loglevel=error'], { cwd, shell: process.platform === 'win32' })
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'inventory-manager-client-')))
  installed = join(folder, 'node_modules', '@inventory-manager', 'client')
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(['run', 'client'], root)
  await npm(['pack', '-w', 'packages/client', '--pack-destination', folder], root)
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  await npm(['install', '--offline', join(folder, archive)], folder)
  app = await startTestApp()
  admin = await makeCompany(app)
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: [{ barcode: 'CLIENT-1', primary_quantity: 5 }],
  })
}, 120_000)
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function count(barcode: string, quantity: string, password = testPassword) {
  const options = [
    join(installed, 'examples', 'count.mjs'),
    app.url,
    admin.email,
    password,
    barcode,
    quantity,
  ]
  return await run(process.execPath, options).catch((error: unknown) => ({
    stdout: '',
    stderr: error instanceof Error && 'stderr' in error ? String(error.stderr) : '',
  }))
}

it('the package brings its types, its example, its words and its licence, and nothing else', async () => {
  expect((await readdir(installed)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'examples',
    'package.json',
  ])
  expect((await readdir(join(installed, 'dist'))).toSorted()).toEqual(
    ['calls', 'client', 'index'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]),
  )
})

it('the types of the client say what a call refuses and what a field means', async () => {
  const types = await readFile(join(installed, 'dist', 'calls.d.ts'), 'utf8')
  expect(types).toContain(
    '/** Retire a component: it leaves all lists and is no longer counted; its history stays. By its own barcode only. Refused while it has stock',
  )
  expect(types).toMatch(
    /\/\*\* Pieces on their way here that nobody has received yet\. \*\/\s+"?arriving"?: number/,
  )
})

it('the example of the client counts a SKU on the real server', async () => {
  expect((await count('CLIENT-1', '5')).stdout).toBe('CLIENT-1: counted 5\n')
  expect((await count('CLIENT-1', '6')).stdout).toContain('CLIENT-1: ')
  const { rows } = await app.owner.query(`select quantity from count_history where sku = 'CLIENT-1'`)
  expect(rows).toEqual([{ quantity: 5 }])
})

it('a refusal is an error with the sentence, the code and the request of the server', async () => {
  expect((await count('GHOST', '5')).stderr).toMatch(
    /^There is no component with this barcode\. \(not_found, request [0-9a-f-]{36}\)\n$/,
  )
  expect((await count('CLIENT-1', '5', 'wrong')).stderr).toMatch(/request [0-9a-f-]{36}\)\n$/)
})

/** What the compiler says of a program that uses the client, by the ways a project may find packages. */
async function compile(
  name: string,
  text: string,
  resolution: string[] = ['--module', 'nodenext'],
): Promise<string> {
  const file = join(folder, `${name}.ts`)
  await writeFile(file, `import { ClientError, createClient } from '@inventory-manager/client'\n${text}`)
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc')
  const options = ['--ignoreConfig', '--noEmit', '--strict', ...resolution, '--lib', 'es2023,dom', file]
  const { stdout } = await run(process.execPath, [compiler, ...options], { cwd: folder }).catch(
    (error: unknown) => ({
      stdout: error instanceof Error && 'stdout' in error ? String(error.stdout) : '',
    }),
  )
  return stdout
}

const begin = `const client = createClient({ url: 'http://localhost' })\n`
const rightProgram = `${begin}const names: Parameters<typeof client.call>[0][] = [${Object.keys(allEndpoints)
  .map((name) => `'${name}'`)
  .join(', ')}]
  void names
  const { components } = await client.call('listComponents', { query: { limit: 5 } })
  const first: string | undefined = components[0]?.barcode
  void first
  void (await client.call('dashboard')).usage.users_used.toFixed()
  void ((error: unknown) => (error instanceof ClientError ? error.code.length : 0))`

it('the client has every call, however a project finds packages', async () => {
  for (const resolution of [
    ['--module', 'nodenext'],
    ['--module', 'node16'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    expect([resolution, await compile('right', rightProgram, resolution)]).toEqual([resolution, ''])
  }
}, 60_000)

it('the compiler refuses what the server would', async () => {
  expect(await compile('no-such-call', `${begin}await client.call('dashbored')`)).toContain('dashbored')
  expect(await compile('no-body', `${begin}await client.call('login')`)).toContain('error TS')
  expect(await compile('wrong-body', `${begin}await client.call('login', { body: { email: 5 } })`)).toContain(
    'error TS',
  )
  expect(await compile('wrong-reply', `${begin};(await client.call('dashboard')).usages`)).toContain('usages')
}, 60_000)
