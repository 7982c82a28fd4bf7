import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServer } from './server.ts'
import { serveWebFiles } from './web-files.ts'

const script = `console.log('counting')\n`.repeat(200)
let folder: string
let app: FastifyInstance
let program: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-web-files-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<title>Inventory Manager</title>')
  await writeFile(join(folder, 'assets', 'boot-1.js'), script)
  await writeFile(join(folder, 'assets', 'boot-1.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'assets', 'boot-1.js.gz'), gzipSync(script))
  app = fastify()
  await serveWebFiles(app, folder)
  program = await createServer({ LOG_LEVEL: 'silent' })
  await serveWebFiles(program, folder)
})
afterAll(async () => {
  await app.close()
  await program.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, accepted?: string) =>
  app.inject({ url, ...(accepted === undefined ? {} : { headers: { 'accept-encoding': accepted } }) })

it('gives each browser the smallest form of a file that it takes, as the same kind of file', async () => {
  const brotli = await get('/assets/boot-1.js', 'gzip, deflate, br, zstd')
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(script)

  const gzip = await get('/assets/boot-1.js', 'gzip, deflate')
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(script)

  const plain = await get('/assets/boot-1.js')
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).toBe(script)
})

it('gives the page itself where nothing smaller was left beside it', async () => {
  const page = await get('/monthly-count', 'br')
  expect(page.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/html; charset=utf-8',
  })
  expect(page.body).toBe('<title>Inventory Manager</title>')
})

const nothingHere = { success: false, error: 'There is nothing at this address.', code: 'not_found' }

it.each(['/components/%E0%A4%A', '/components/%', '/%ff?search=%', `/components/${'x'.repeat(600)}`])(
  'gives a browser the page at an address that cannot be read: %s',
  async (url) => {
    const page = await program.inject(url)
    expect([page.statusCode, page.body]).toEqual([200, '<title>Inventory Manager</title>'])
  },
)

it('keeps to its errors where no page is', async () => {
  const unreadable = ['/api/%E0%A4%A', `/api/components/${'x'.repeat(600)}`, '/assets/%ff.js']
  const noCalls = ['/api', '/API/components', '//api/components', '/health/', '/health/redy', '/assets']
  for (const url of [...unreadable, ...noCalls]) {
    const reply = await program.inject(url)
    expect([reply.statusCode, reply.json()]).toEqual([404, nothingHere])
  }
  const posted = await program.inject({ method: 'POST', url: '/components/%ff' })
  expect([posted.statusCode, posted.json()]).toEqual([404, nothingHere])
})
