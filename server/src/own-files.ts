import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const packageFile = z.object({ version: z.string() })

/** The program's own files, from where it begins: the same from server/src and, built, from server/dist. */
export function findOwnFiles(entry: string) {
  const at = (path: string) => fileURLToPath(new URL(path, entry))
  const { version } = packageFile.parse(JSON.parse(readFileSync(at('../package.json'), 'utf8')))
  const built = at('migrations')
  return {
    // A build has those it was made with.
    migrations: existsSync(built) ? built : at('../migrations'),
    assets: at('../assets'),
    webFolder: at('../../web/dist'),
    version,
  }
}
