import { chmod, lchown, readFile, readdir, stat } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { errorCode } from '../error-code.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

export type OsUser = { name: string; uid: number; gid: number }

async function listUsers(): Promise<OsUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.map((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  try {
    return await stat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * The user PostgreSQL must run as, because it refuses to run as root: whoever owns the database already, else
 * `postgres`, else `nobody`. Null when this program is not root and needs no other user.
 */
export async function findServerUser(dataDir: string): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null
  const users = await listUsers()
  const owner = await ownerOf(join(dataDir, 'PG_VERSION'))
  if (owner !== null && owner.uid !== 0) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? `with number ${owner.uid}`
    return { name, uid: owner.uid, gid: owner.gid }
  }
  const user =
    users.find(({ name, uid }) => name === 'postgres' && uid > 0) ??
    users.find(({ name, uid }) => name === 'nobody' && uid > 0)
  if (user !== undefined) return user
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody" to run it as; create one, start this program as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  )
}

async function mayUse(user: OsUser, path: string, bits: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  if (uid === user.uid) return ((mode >> 6) & bits) === bits
  if (gid === user.gid) return ((mode >> 3) & bits) === bits
  return (mode & bits) === bits
}

/** The topmost directory on the way to a path, itself included, that a user may not pass; null when there is none. */
export async function findBarrier(user: OsUser, path: string): Promise<string | null> {
  const above = path === parse(path).root ? null : await findBarrier(user, dirname(path))
  if (above !== null) return above
  return (await mayUse(user, path, 0o1)) ? null : path
}

/** Throws EmbeddedPostgresError where a user may not get to a database in its parent, both as real paths. */
export async function requireReach(
  user: OsUser | null,
  { parent, dataDir }: { parent: string; dataDir: string },
): Promise<void> {
  const barrier = user === null ? null : await findBarrier(user, parent)
  if (user === null || barrier === null) return
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root but as the user ${user.name}, who may not enter ${barrier} on the way to ${dataDir}; set DATA_DIR to a directory that every user may enter, allow it with chmod o+x ${barrier}, or start this program as an ordinary user.`,
  )
}

/** Whether a user may read and run a program. */
export async function mayRun(user: OsUser, program: string): Promise<boolean> {
  return (await findBarrier(user, dirname(program))) === null && (await mayUse(user, program, 0o5))
}

/** A directory and all in it but links. Walked by hand: what Node calls an entry's folder differs between its versions. */
async function listTree(root: string): Promise<string[]> {
  const entries = (await readdir(root, { withFileTypes: true })).filter((entry) => !entry.isSymbolicLink())
  const below = entries.map(async (entry) => {
    const path = join(root, entry.name)
    return entry.isDirectory() ? await listTree(path) : [path]
  })
  return [root, ...(await Promise.all(below)).flat()]
}

/** Gives a directory and all in it to a user, following no links. */
export async function giveTree(user: OsUser, root: string): Promise<void> {
  for (const path of await listTree(root)) await lchown(path, user.uid, user.gid)
}

/** Lets every user read a tree, and run what its owner may run. */
export async function openTree(root: string): Promise<void> {
  for (const path of await listTree(root)) {
    const { mode } = await stat(path)
    const readable = mode | 0o444
    await chmod(path, (mode & 0o100) === 0 ? readable : readable | 0o111)
  }
}
