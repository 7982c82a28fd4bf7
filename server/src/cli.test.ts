import { execFile } from 'node:child_process'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-cli-'))
})
afterAll(() => rm(folder, { recursive: true }))

const ended = z.object({ code: z.int().default(0), stdout: z.string(), stderr: z.string() })

/** A command as `npm run` starts it, in an installation that is not there yet, and is not there afterwards. */
async function command(...words: string[]): Promise<z.output<typeof ended>> {
  const cli = join(root, 'server', 'src', 'cli.ts')
  const data = join(folder, 'data')
  const settings = { PATH: env['PATH'], DATA_DIR: data }
  const running = run(process.execPath, ['--import', 'tsx', cli, ...words], { cwd: root, env: settings })
  const end = ended.parse(await running.catch((error: unknown) => error))
  await expect(access(data)).rejects.toThrow('ENOENT')
  return end
}

it('a command that is asked for help says what it does, and does nothing', async () => {
  const { code, stdout } = await command('doctor', '--help')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^npm run doctor\n/)])
})

it.each(['doctor', 'check-ledger', 'demo'])(
  '%s refuses an option that it does not know, and does nothing',
  async (name) => {
    const { code, stderr } = await command(name, '--nonsense')
    expect([code, stderr]).toEqual([1, expect.stringContaining(`'--nonsense'`)])
    expect(stderr).toContain(`npm run ${name}\n`)
  },
)
