import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, startTestApp, testPassword, type Person, type TestApp } from './test-app.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'packages', 'client', 'examples', 'count.mjs')
const folder = join(root, '.cache', 'client-test')

let app: TestApp
let admin: Person
beforeAll(async () => {
  await run(process.execPath, [join(root, 'scripts', 'client.mjs')], { cwd: root })
  app = await startTestApp()
  admin = await makeCompany(app)
  await app.ask({
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
  const options = [example, app.url, admin.email, password, barcode, quantity]
  return await run(process.execPath, options).catch((error: unknown) => ({
    stdout: '',
    stderr: error instanceof Error && 'stderr' in error ? String(error.stderr) : '',
  }))
}

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

/** What the compiler says of a program that uses the client. */
async function compile(name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}.ts`)
  await writeFile(file, `import { createClient } from '@inventory-manager/client'\n${text}`)
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom',
    file,
  ]
  const { stdout } = await run(process.execPath, [compiler, ...options]).catch((error: unknown) => ({
    stdout: error instanceof Error && 'stdout' in error ? String(error.stdout) : '',
  }))
  return stdout
}

it('the client has every call, and the compiler refuses what the server would', async () => {
  const begin = `const client = createClient({ url: 'http://localhost' })\n`
  const names = Object.keys(allEndpoints).map((name) => `'${name}'`)
  expect(
    await compile(
      'right',
      `${begin}const names: Parameters<typeof client.call>[0][] = [${names.join(', ')}]
      void names
      const { components } = await client.call('listComponents', { query: { limit: '5' } })
      const first: string | undefined = components[0]?.barcode
      void first
      void (await client.call('dashboard')).usage.users_used.toFixed()`,
    ),
  ).toBe('')
  expect(await compile('no-such-call', `${begin}await client.call('dashbored')`)).toContain('dashbored')
  expect(await compile('no-body', `${begin}await client.call('login')`)).toContain('error TS')
  expect(await compile('wrong-body', `${begin}await client.call('login', { body: { email: 5 } })`)).toContain(
    'error TS',
  )
  expect(await compile('wrong-reply', `${begin};(await client.call('dashboard')).usages`)).toContain('usages')
}, 60_000)
