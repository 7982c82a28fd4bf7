import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { findOwnFiles } from './own-files.ts'

it('a built program applies the migrations it was built with, whatever has come into its clone since', async () => {
  const server = await mkdtemp(join(tmpdir(), 'inventory-manager-own-files-'))
  await writeFile(join(server, 'package.json'), '{ "version": "1.2.3" }')
  for (const folder of ['src', 'migrations', 'dist/migrations'])
    await mkdir(join(server, folder), { recursive: true })
  const migrationsOf = (entry: string) => findOwnFiles(pathToFileURL(join(server, entry)).href).migrations
  expect(migrationsOf('dist/main.js')).toBe(join(server, 'dist', 'migrations'))
  expect(migrationsOf('src/main.ts')).toBe(join(server, 'migrations'))
  await rm(server, { recursive: true })
})
