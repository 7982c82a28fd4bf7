import { z } from 'zod'

const whole = (initial: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(initial)

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port, 0 to 65535')
  .transform(Number)
  .refine((given) => given <= 65_535, 'must be a port, 0 to 65535')

/** Every setting, from the environment; each has a default that works. */
const settings = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** The embedded database and generated secrets. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** Unset: the embedded database. The role must own the database and may create roles. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  /** Where the application itself connects, through a pooler for one; a login role in inventory_manager_app. */
  DATABASE_APP_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  /** Off behind a pooler in transaction mode that does not carry prepared statements. */
  DATABASE_PREPARED: z.enum(['on', 'off']).default('on'),
  /** Unset: generated once into DATA_DIR. All nodes of an installation need the same. */
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  DATABASE_POOL_SIZE: whole(10).refine((size) => size >= 2, 'must be at least 2'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('warn'),
  /** Whether the program's own sentences are for people or, like its log, one JSON object a line. */
  LOG_FORMAT: z.enum(['text', 'json']).default('text'),
  /** Unset: no metrics. They have a port of their own, never the program's. */
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** Companies one address may register in an hour. */
  REGISTRATIONS_PER_HOUR: whole(20),
  /** Failed sign-ins in 15 minutes before an account, or an address, has to wait. */
  SIGN_INS_PER_ACCOUNT: whole(10),
  SIGN_INS_PER_ADDRESS: whole(100),
  /** Proxies whose X-Forwarded-For is believed, by address or CIDR, separated by commas. */
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((part) => part.trim()))
    .optional(),
})

export type Config = z.output<typeof settings>

/** Mistakes in the settings, one clear line each. */
export class ConfigError extends Error {}

/** Reads the settings; throws ConfigError naming every mistake. An empty variable counts as unset. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = settings.safeParse(given)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`)
  throw new ConfigError(lines.join('\n'))
}
