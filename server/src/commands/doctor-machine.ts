import { readFile, stat, statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../platform/config.ts'
import { errorCode } from '../platform/error-code.ts'
import { createMailer } from '../platform/mail.ts'
import { findDataFolder } from '../platform/postgres/data-folder.ts'
import { shortestSecret } from '../platform/secret.ts'
import type { Finding } from './doctor-finding.ts'

const gigabyte = 1_000_000_000
const leastFreeBytes = 2 * gigabyte
const leastKinds = 12

function isLocal(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '[::1]' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  )
}

/** Whether a database on another machine is reached without encryption. */
function isInTheClear(address: string | undefined): boolean {
  if (address === undefined) return false
  const url = new URL(address)
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  return url.hostname !== '' && !isLocal(url.hostname) && ['disable', 'allow', 'prefer'].includes(mode)
}

/** The databases' addresses that are so. */
function inTheClear(config: Config): string[] {
  const names = ['DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_REPLICA_URL'] as const
  return names.filter((name) => isInTheClear(config[name]))
}

/** Settings that are allowed and yet make the installation weaker: what each means, where it is so. */
function weaknesses(config: Config): string[] {
  const proxies = config.TRUSTED_PROXIES ?? []
  const exposed = inTheClear(config)
  const checks: [boolean, string][] = [
    [
      !isLocal(config.HOST) && proxies.length === 0,
      `HOST ${config.HOST} lets the network in without TLS: put a proxy with TLS in front and name it in TRUSTED_PROXIES`,
    ],
    [
      config.JWT_SECRET !== undefined && new Set(config.JWT_SECRET).size < leastKinds,
      'JWT_SECRET repeats few characters: take a random one, or leave it out to have one made',
    ],
    [
      exposed.length > 0,
      `${exposed.join(' and ')}: the database is reached over the network without TLS, add ?sslmode=verify-full to the address`,
    ],
    [
      config.METRICS_PORT !== undefined && !isLocal(config.METRICS_HOST),
      `METRICS_HOST ${config.METRICS_HOST} shows figures to the network: let only Prometheus reach it`,
    ],
    [
      ['trace', 'debug'].includes(config.LOG_LEVEL),
      `LOG_LEVEL ${config.LOG_LEVEL} writes more than is needed`,
    ],
    [
      config.SIGN_INS_PER_ACCOUNT > 100,
      'SIGN_INS_PER_ACCOUNT lets passwords be guessed: 100 is the most that is sound',
    ],
  ]
  return checks.filter(([applies]) => applies).map(([, says]) => says)
}

export function lookAtSettings(config: Config): Finding[] {
  const where = config.DATABASE_URL === undefined ? 'the embedded database' : 'the database of DATABASE_URL'
  const found = weaknesses(config)
  return [
    { state: 'good', about: 'settings', says: `readable; port ${config.PORT}, ${where}` },
    ...(found.length === 0
      ? [{ state: 'good' as const, about: 'security', says: 'no setting weakens it' }]
      : found.map((says) => ({ state: 'doubtful' as const, about: 'security', says }))),
  ]
}

async function lookAtDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const says = `${(free / gigabyte).toFixed(1)} GB free for ${folder}`
  if (free > leastFreeBytes) return { state: 'good', about: 'disk', says }
  return { state: 'bad', about: 'disk', says: `only ${says}: the database stops when it is full` }
}

/** Where the disk fills: that of the embedded database, which need not be in DATA_DIR. */
async function diskFolder(config: Config): Promise<string> {
  await stat(config.DATA_DIR)
  if (config.DATABASE_URL !== undefined) return config.DATA_DIR
  return dirname(await findDataFolder(resolve(config.DATA_DIR)))
}

/** Others of the machine who can read the secret, or guess it, can sign in as anybody. */
async function lookAtSecret(folder: string): Promise<Finding[]> {
  const about = 'secret'
  const file = join(folder, 'jwt-secret')
  try {
    const { mode } = await stat(file)
    const { length } = (await readFile(file, 'utf8')).trim()
    if (length < shortestSecret) {
      const says = `${file} has fewer than ${shortestSecret} characters: remove it, and the next start makes another`
      return [{ state: 'bad', about, says }]
    }
    if ((mode & 0o077) === 0) return [{ state: 'good', about, says: 'only this user may read it' }]
    return [{ state: 'bad', about, says: `others may read it: chmod 600 ${file}` }]
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Whether the mail server lets the program in; nothing where none is set. */
export async function lookAtMail(config: Config): Promise<Finding[]> {
  const mailer = createMailer(config)
  if (mailer === null) return []
  try {
    await mailer.check()
    return [{ state: 'good', about: 'mail', says: 'the mail server answers and lets the program in' }]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ state: 'bad', about: 'mail', says: `the mail server of SMTP_URL does not take mail: ${why}` }]
  }
}

export async function lookAtMachine(config: Config): Promise<Finding[]> {
  const node: Finding = {
    state: 'good',
    about: 'node',
    says: `${process.version} on ${process.platform} ${process.arch}`,
  }
  try {
    const secret = await lookAtSecret(config.DATA_DIR)
    return [node, await lookAtDisk(await diskFolder(config)), ...secret]
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return [
      node,
      { state: 'doubtful', about: 'disk', says: `there is no ${config.DATA_DIR} yet: npm start makes it` },
    ]
  }
}
