import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { findLayout, makeParents } from './layout.ts'
import { findBarrier, findServerUser, requireReach, type OsUser } from './os-user.ts'

/** Where a database lives whose server may not enter DATA_DIR. */
export const systemFolder = '/var/lib/inventory-manager'

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** The note in DATA_DIR that names a database's folder elsewhere. */
const noteIn = (dataDir: string) => join(dataDir, 'postgres-folder')

/** Where the embedded database lives, or would in the usual case; looking makes nothing. */
export async function findDataFolder(dataDir: string): Promise<string> {
  return (await readIfThere(noteIn(dataDir))) ?? join(dataDir, 'postgres')
}

/** Makes a folder that the server's user gets to; where that cannot be, it leaves nothing behind. */
async function makeFolder(user: OsUser, within: string): Promise<string> {
  const folder = join(within, randomBytes(6).toString('hex'), 'postgres')
  await makeParents(folder)
  try {
    // The way may lead through links into what only root may enter, as /var/lib/private.
    await requireReach(user, await findLayout(folder))
    return folder
  } catch (error) {
    await rm(dirname(folder), { recursive: true })
    throw error
  }
}

/**
 * Where the embedded database is to live: in DATA_DIR. Started as root, PostgreSQL works as another user; where that user
 * cannot get to DATA_DIR (a clone in /root, say), it lives in a folder of the system's instead, and a note in DATA_DIR says
 * where. Throws EmbeddedPostgresError where there is a database in DATA_DIR already that this user cannot get to.
 */
export async function chooseDataFolder(
  dataDir: string,
  { instead, say }: { instead: string; say: (line: string) => void },
): Promise<string> {
  const note = noteIn(dataDir)
  const noted = await readIfThere(note)
  if (noted !== null) return noted

  const usual = join(dataDir, 'postgres')
  await mkdir(dataDir, { recursive: true })
  const user = await findServerUser(usual)
  const barrier = user === null ? null : await findBarrier(user, dataDir)
  if (user === null || barrier === null) return usual
  if ((await readIfThere(join(usual, 'PG_VERSION'))) !== null) {
    await requireReach(user, await findLayout(usual))
    return usual
  }

  const folder = await makeFolder(user, instead)
  try {
    await writeFile(note, `${folder}\n`, { flag: 'wx' })
  } catch (error) {
    // Another start was first; its choice counts.
    if (errorCode(error) !== 'EEXIST') throw error
    return (await readIfThere(note)) ?? folder
  }
  say(
    `The user ${user.name}, as whom PostgreSQL runs, may not enter ${barrier}: the database is in ${folder}.`,
  )
  return folder
}
