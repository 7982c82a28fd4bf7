import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './error-code.ts'
import { SentenceError } from './sentence-error.ts'

/** The stored secret is empty or too short; the message says all there is to say. */
class SecretError extends SentenceError {}

/** Characters that keep a signature from being guessed. */
export const shortestSecret = 32

async function readStored(path: string): Promise<string> {
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length >= shortestSecret) return secret
  throw new SecretError(
    `${path} is empty or has fewer than ${shortestSecret} characters. Put it back from a copy, or remove it: then another is made, and everybody signs in anew.`,
  )
}

/** A new name in a folder is kept once the folder is on the disk; Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

/** The installation's signing secret: the given one, else the one in the data folder, made there if missing. Throws SecretError. */
export async function ensureSecret(given: string | undefined, dataDir: string): Promise<string> {
  if (given !== undefined) return given
  const path = join(dataDir, 'jwt-secret')
  try {
    return await readStored(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  await mkdir(dataDir, { recursive: true })
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    // Whole or not at all, and never over another starter's.
    await link(fresh, path)
    await syncFolder(dataDir)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(fresh)
  }
  return await readStored(path)
}
