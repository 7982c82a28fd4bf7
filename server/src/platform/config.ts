import { isIP } from 'node:net'
import { timeZone } from '@inventory-manager/contract/accounts/rules'
import { z } from 'zod'
import { shortestSecret } from './secret.ts'

const whole = (initial: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(initial)

const atLeastOne = (initial: number) => whole(initial).refine((given) => given >= 1, 'must be at least 1')

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port, 0 to 65535')
  .transform(Number)
  .refine((given) => given <= 65_535, 'must be a port, 0 to 65535')

/** Ranges that the server knows by a name. */
const namedRanges = new Set(['loopback', 'linklocal', 'uniquelocal'])

const mostBits = { 4: 32, 6: 128 }

/** What the server takes for proxies: an address, or a range of them. */
function isProxy(part: string): boolean {
  const [address = '', bits, ...others] = part.split('/')
  const kind = isIP(address)
  if (namedRanges.has(part)) return true
  if ((kind !== 4 && kind !== 6) || others.length > 0) return false
  if (bits === undefined || (kind === 4 && isIP(bits) === 4)) return bits !== '0.0.0.0'
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= mostBits[kind]
}

const postgresAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// address',
  abort: true,
})

/** Each role that connects would be led to a database of its own name, or to a host that takes no name of a role. */
const wholeAddress = postgresAddress.refine((address) => {
  const { hostname, pathname } = new URL(address)
  return hostname !== '' && pathname.length > 1
}, 'must name a host and a database, as postgres://user:password@host:5432/database does')

/** Whether the runtime takes the name for a zone; all others it takes for UTC, without a word. */
function isOwnZone(given: string): boolean {
  const name = given.replace(/^:/, '')
  if (!timeZone.safeParse(name).success) return false
  const { timeZone: known } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
  // In other letters it is known here only.
  return known === name || known.toLowerCase() !== name.toLowerCase()
}

/** Every setting, from the environment; each has a default that works. */
const plainSettings = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** The embedded database and generated secrets. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** Unset: the embedded database. The role must own the database and may create roles. */
  DATABASE_URL: wholeAddress.optional(),
  /** Where the application itself connects, through a pooler for one; a login role in inventory_manager_app. */
  DATABASE_APP_URL: postgresAddress.optional(),
  /** A streaming replica of that database, for lists, charts and exports; the program connects as it does to the database. */
  DATABASE_REPLICA_URL: wholeAddress.optional(),
  /** Off behind a pooler in transaction mode that does not carry prepared statements. */
  DATABASE_PREPARED: z.enum(['on', 'off']).default('on'),
  /** Unset: generated once into DATA_DIR. All nodes of an installation need the same. */
  JWT_SECRET: z.string().min(shortestSecret, `must have at least ${shortestSecret} characters`).optional(),
  /** Where the program writes a backup every night; unset: it makes none by itself. */
  BACKUP_DIRECTORY: z.string().min(1).optional(),
  /** Whose night that is; unset: the machine's. */
  TZ: z.string().refine(isOwnZone, 'must be a time zone such as Europe/Berlin').optional(),
  DATABASE_POOL_SIZE: whole(10).refine((size) => size >= 2, 'must be at least 2'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('warn'),
  /** Whether the program's own sentences are for people or, like its log, one JSON object a line. */
  LOG_FORMAT: z.enum(['text', 'json']).default('text'),
  /** Unset: no metrics. They have a port of their own, never the program's. */
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** Companies one address may register in an hour; 0: nobody registers any. */
  REGISTRATIONS_PER_HOUR: whole(20),
  /** Failed sign-ins in 15 minutes before an account, or an address, has to wait. */
  SIGN_INS_PER_ACCOUNT: atLeastOne(10),
  SIGN_INS_PER_ADDRESS: atLeastOne(100),
  /** Calls an API key may make in a minute, over all nodes. */
  API_CALLS_PER_MINUTE: atLeastOne(600),
  /** On: webhooks may be sent to private addresses too, such as other programs on the own network. */
  WEBHOOKS_ALLOW_PRIVATE: z.enum(['on', 'off']).default('off'),
  /** Proxies whose X-Forwarded-For is believed, by address or CIDR, separated by commas. */
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(isProxy),
      'must be addresses or ranges such as 10.0.0.0/8, separated by commas',
    )
    .optional(),
  /** Where people reach the program, for links in mails and for what comes back from a payment. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .regex(/^[^?#]+$/, 'must be an address without ? and #')
    .transform((url) => url.replace(/\/+$/, ''))
    .refine(
      (url) => new URL(url).pathname === '/',
      'must be without a path: the program needs a host name or a port of its own',
    )
    .optional(),
  /** A mail server; unset: no mail, everything works by links. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be a smtp:// or smtps:// address' }).optional(),
  /** Whom mails come from; unset: no-reply at the host of PUBLIC_URL. */
  MAIL_FROM: z.string().regex(/\S@\S/, 'must have an e-mail address').optional(),
  /** Payment by Stripe, where all of these are set; else every plan is free to choose. */
  STRIPE_SECRET_KEY: z.string().min(8).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(8).optional(),
  STRIPE_PRICE_STARTER: z.string().min(3).optional(),
  STRIPE_PRICE_PROFESSIONAL: z.string().min(3).optional(),
  STRIPE_PRICE_ENTERPRISE: z.string().min(3).optional(),
  /** Another server that speaks Stripe's interface, such as a stand-in. */
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .default('https://api.stripe.com'),
})

const stripeNames = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_STARTER',
  'STRIPE_PRICE_PROFESSIONAL',
  'STRIPE_PRICE_ENTERPRISE',
] as const

const settings = plainSettings.superRefine((given, context) => {
  if (given.METRICS_PORT === given.PORT && given.PORT !== 0) {
    context.addIssue({ code: 'custom', path: ['METRICS_PORT'], message: 'must be another port than PORT' })
  }
  if (given.SMTP_URL !== undefined && given.PUBLIC_URL === undefined) {
    context.addIssue({
      code: 'custom',
      path: ['PUBLIC_URL'],
      message: 'must be set where SMTP_URL is, because mails carry links',
    })
  }
  if (stripeNames.every((name) => given[name] === undefined)) return
  for (const name of [...stripeNames, 'PUBLIC_URL'] as const) {
    if (given[name] !== undefined) continue
    context.addIssue({ code: 'custom', path: [name], message: 'must be set where payment by Stripe is' })
  }
})

export type Config = z.output<typeof settings>

/** Mistakes in the settings, one clear line each. */
export class ConfigError extends Error {}

const emptyAddress =
  'DATABASE_URL is empty. Give it the address of a database, or leave it out for the embedded one.'

/** Reads the settings; throws ConfigError naming every mistake. An empty variable counts as unset, but for DATABASE_URL. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  // Whoever names it has a database; another one, made in its place, would pass for theirs.
  if (environment['DATABASE_URL'] === '') throw new ConfigError(emptyAddress)
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = settings.safeParse(given)
  if (result.success) return result.data
  const lines = result.error.issues.map(
    (issue) => `${issue.path.join('.')} ${issue.message.replace(/\.$/, '')}.`,
  )
  throw new ConfigError(lines.join('\n'))
}

/** Whether what is said is to be JSON, also where the settings could not be read. */
export function isJsonAsked(environment: Record<string, string | undefined> = process.env): boolean {
  return environment['LOG_FORMAT'] === 'json'
}
