import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '../platform/http/app-error.ts'

const idBytes = 16
const secretBytes = 32

/** What the database holds of a link's secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Names the company, so that the link finds it, and 256 random bits. */
export function newSecret(tenantId: string): string {
  const company = Buffer.from(tenantId.replaceAll('-', ''), 'hex')
  return Buffer.concat([company, randomBytes(secretBytes)]).toString('base64url')
}

/** The company a secret names; throws 'link_invalid' for what is no secret. */
export function tenantOf(secret: string): string {
  const bytes = Buffer.from(secret, 'base64url')
  if (bytes.length !== idBytes + secretBytes) throw new AppError('link_invalid')
  const hex = bytes.toString('hex', 0, idBytes)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
