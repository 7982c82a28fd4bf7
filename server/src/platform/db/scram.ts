import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const iterations = 4096
const hash = 'sha256'

/**
 * What PostgreSQL keeps of a password (RFC 5803): given instead of it, the password stands in no statement, and so in no log of
 * the server. Of a password in ASCII only, which needs no preparing.
 */
export function scramVerifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, hash)
  const keyFor = (whom: string) => createHmac(hash, salted).update(whom).digest()
  const stored = createHash(hash).update(keyFor('Client Key')).digest('base64')
  const ofServer = keyFor('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${ofServer}`
}
