import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** The installation's signing secret: the given one, or one generated once into the data folder. */
export async function readSecret(given: string | undefined, dataDir: string): Promise<string> {
  if (given !== undefined) return given
  const path = join(dataDir, 'jwt-secret')
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  await mkdir(dataDir, { recursive: true })
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 })
  try {
    // Whole or not at all, and never over another starter's.
    await link(fresh, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(fresh)
  }
  return (await readFile(path, 'utf8')).trim()
}
