import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BackupError } from '../platform/backup/backup-error.ts'
import { checkBackup } from '../platform/backup/check.ts'
import { listMade } from '../platform/backup/kept.ts'
import type { Config } from '../platform/config.ts'
import { ageOf } from './backup.ts'
import type { Finding } from './doctor-finding.ts'

const about = 'backups'
const oldestMs = 2 * 86_400_000

/** The newest that is whole, and how many newer ones are not. */
async function findWhole(
  folder: string,
  migrations: string,
): Promise<{ madeAt: string | null; faulty: string[] }> {
  const faulty: string[] = []
  for (const name of listMade(await readdir(folder))) {
    try {
      return { madeAt: (await checkBackup(join(folder, name), migrations)).madeAt, faulty }
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      faulty.push(`${name}: ${error.message}`)
    }
  }
  return { madeAt: null, faulty }
}

/** How old the newest whole backup is that the program made by itself. */
export async function lookAtBackups(config: Config, migrations: string): Promise<Finding[]> {
  if (config.BACKUP_DIRECTORY === undefined) {
    const says = 'the program makes none by itself: name a folder in BACKUP_DIRECTORY, or run npm run backup'
    return [{ state: 'doubtful', about, says }]
  }
  const folder = resolve(config.BACKUP_DIRECTORY)
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ state: 'bad', about, says: `the folder ${folder} cannot be written: ${why}` }]
  }
  const { madeAt, faulty } = await findWhole(folder, migrations)
  const broken: Finding[] = faulty.map((says) => ({ state: 'bad', about, says }))
  if (madeAt === null) {
    const says = `none in ${folder} yet: the program makes one soon after it starts`
    return [...broken, { state: 'doubtful', about, says }]
  }
  const old = Date.now() - Date.parse(madeAt) > oldestMs
  const says = `the newest whole one in ${folder} is ${ageOf(madeAt)} old`
  if (!old) return [...broken, { state: 'good', about, says }]
  return [...broken, { state: 'doubtful', about, says: `${says}: the program's log says why` }]
}
