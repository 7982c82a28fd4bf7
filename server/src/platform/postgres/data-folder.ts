import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './embedded-postgres-error.ts'
import { findBarrier, findServerUser } from './os-user.ts'

const systemFolder = '/var/lib/inventory-manager'

async function readNote(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Where the embedded database lives: in DATA_DIR. Started as root, PostgreSQL works as another user; where that user
 * cannot get to DATA_DIR (a clone in /root, say), it lives under /var/lib instead, and a note in DATA_DIR says where.
 */
export async function chooseDataFolder(dataDir: string, say: (line: string) => void): Promise<string> {
  const note = join(dataDir, 'postgres-folder')
  const noted = await readNote(note)
  if (noted !== null) return noted

  const usual = join(dataDir, 'postgres')
  await mkdir(dataDir, { recursive: true })
  const user = await findServerUser(usual)
  const barrier = user === null ? null : await findBarrier(user, dataDir)
  if (user === null || barrier === null) return usual

  const folder = join(systemFolder, randomBytes(6).toString('hex'), 'postgres')
  await mkdir(join(folder, '..'), { recursive: true })
  try {
    await writeFile(note, `${folder}\n`, { flag: 'wx' })
  } catch (error) {
    // Another start was first; its choice counts.
    if (errorCode(error) !== 'EEXIST') throw error
    return (await readNote(note)) ?? folder
  }
  say(
    `The user ${user.name}, as whom PostgreSQL runs, may not enter ${barrier}: the database is in ${folder}.`,
  )
  return folder
}
