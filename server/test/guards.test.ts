import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')
const place = z.object({ what: z.string(), file: z.string(), from: z.string(), test: z.string() })

it('every guard that the mutation tests take away is where they look for it', async () => {
  const list: unknown = await import(pathToFileURL(join(root, 'scripts/mutation/guards.mjs')).href)
  const { guards } = z.object({ guards: z.array(place).min(15) }).parse(list)
  const lost = guards.filter(
    ({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2,
  )
  expect(lost.map(({ what }) => what)).toEqual([])
})
