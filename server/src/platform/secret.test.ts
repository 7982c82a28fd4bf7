import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureSecret } from './secret.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-secret-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('a secret is made once, and is the same at every start', async () => {
  const dataDir = join(folder, 'new', 'data')
  const made = await ensureSecret(undefined, dataDir)
  expect(made).toHaveLength(64)
  expect(await ensureSecret(undefined, dataDir)).toBe(made)
  expect(await readFile(join(dataDir, 'jwt-secret'), 'utf8')).toBe(`${made}\n`)
})

it.each(['', '\n', 'short\n'])('a file that holds %j is no secret', async (text) => {
  const file = join(folder, 'jwt-secret')
  await writeFile(file, text)
  await expect(ensureSecret(undefined, folder)).rejects.toThrow(
    `${file} is empty or has fewer than 32 characters. Put it back from a copy, or remove it: then another is made, and everybody signs in anew.`,
  )
})
