import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseDataFolder } from './data-folder.ts'

/** Everybody may enter it; `dataDir`, in it, only root. */
let folder: string
let dataDir: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-folder-'))
  await chmod(folder, 0o755)
  dataDir = join(folder, 'data')
  await mkdir(dataDir, { mode: 0o700 })
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe.skipIf(process.getuid?.() !== 0)('started as root with a DATA_DIR that only root may enter', () => {
  it('the database lives in a folder of the system, which a note names', async () => {
    const said: string[] = []
    const instead = join(folder, 'system')
    const chosen = await chooseDataFolder(dataDir, { instead, say: (line) => said.push(line) })
    expect(dirname(dirname(chosen))).toBe(instead)
    expect(await readFile(join(dataDir, 'postgres-folder'), 'utf8')).toBe(`${chosen}\n`)
    expect(said.join('\n')).toMatch(
      /^The user \w+, as whom PostgreSQL runs, may not enter .+\/data: the database is in .+\/postgres\.$/,
    )
    expect(await chooseDataFolder(dataDir, { instead, say: (line) => said.push(line) })).toBe(chosen)
  })

  it('nothing is left behind where the folder of the system leads to what only root may enter, too', async () => {
    const closed = join(folder, 'private')
    await mkdir(join(closed, 'inventory-manager'), { recursive: true })
    await chmod(closed, 0o700)
    const instead = join(folder, 'inventory-manager')
    await symlink(join(closed, 'inventory-manager'), instead)
    await expect(chooseDataFolder(dataDir, { instead, say: () => undefined })).rejects.toThrow(
      /^PostgreSQL does not run as root but as the user \w+, who may not enter .+\/private on the way to/,
    )
    expect(await readdir(dataDir)).toEqual([])
    expect(await readdir(instead)).toEqual([])
  })
})
