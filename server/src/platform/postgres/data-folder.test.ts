import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseDataFolder, findDataFolder } from './data-folder.ts'

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
    expect(await findDataFolder(dataDir)).toBe(chosen)
  })

  it('a database that is there already is not left for a new, empty one: the start is refused', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n')
    const instead = join(folder, 'system')
    await expect(chooseDataFolder(dataDir, { instead, say: () => undefined })).rejects.toThrow(
      /^PostgreSQL does not run as root but as the user \w+, who may not enter .+\/data on the way to .+\/data\/postgres; set DATA_DIR to a directory that every user may enter, allow it with chmod o\+x .+\/data, or start this program as an ordinary user\.$/,
    )
    expect(await readdir(dataDir)).toEqual(['postgres'])
    expect(await readdir(folder)).toEqual(['data'])
  })

  it('looking for the database makes no folder and leaves no note', async () => {
    expect(await findDataFolder(dataDir)).toBe(join(dataDir, 'postgres'))
    expect(await readdir(dataDir)).toEqual([])
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
