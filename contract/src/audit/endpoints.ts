import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { maxSoughtLength } from '../sought-text.ts'
import { clientInstant, cursor, entryNumber, instant, pageSize, place, plainMap, text } from '../values.ts'
import { auditKindNames } from './rules.ts'

const auditEntry = z.object({
  id: z.string(),
  kind: z.enum(auditKindNames),
  sku: z.string(),
  quantity: z.nullable(z.number()),
  location: z.nullable(z.string()),
  source: z.string(),
  timestamp: instant,
  user_type: z.string(),
  user_name: z.string(),
  // A node of the version before says neither.
  user_id: z
    .nullish(z.string())
    .check(z.describe('Who did it, whatever they are called; null where nobody was signed in.')),
  user_account: z
    .nullish(z.string())
    .check(
      z.describe(
        'The e-mail address of who did it, or how their API key begins; only administrators see this.',
      ),
    ),
  origin: z.enum(['server', 'client']),
  metadata: plainMap,
})

export type AuditEntry = z.output<typeof auditEntry>

/** The newest entries the audit screen loads at most. */
export const auditScreenSize = 1000

export const listAuditTrail = endpoint({
  method: 'GET',
  path: '/api/audit/trail',
  access: 'member',
  effect: 'read',
  summary: 'List the audit trail, newest first',
  query: z.object({
    id: z
      .optional(entryNumber)
      .check(z.describe('One entry: the number of a certificate, or what a check of the trail names.')),
    sku: z.optional(text(maxSoughtLength)).check(z.describe('Part of a SKU.')),
    location: z.optional(place),
    source: z.optional(text(100)),
    action: z
      .optional(text(maxSoughtLength))
      .check(z.describe('A kind of entry, or part of its name on the screen, such as Count.')),
    user: z
      .optional(text(maxSoughtLength))
      .check(z.describe('Part of the name of who did it; of administrators also of their user_account.')),
    from: z.optional(clientInstant),
    to: z.optional(clientInstant),
    limit: pageSize({ initial: 100, max: 1000 }),
    cursor: z.optional(cursor),
  }),
  reply: {
    status: 200,
    json: z.object({
      entries: z.array(auditEntry),
      total: z
        .int()
        .check(
          z.describe(
            'How many entries there are, or pass the filter. Of a filtered trail longer than 100,000 entries: how many pass from the cursor back to looked_back_to.',
          ),
        ),
      next_cursor: z.nullable(z.string()),
      looked_back_to: z
        .nullable(instant)
        .check(
          z.describe(
            'A filter looks through 100,000 entries at a time. This look went back to here and next_cursor goes on; null where nothing older is left.',
          ),
        ),
    }),
  },
  errors: [],
})

const auditFaultKinds = ['changed', 'missing', 'inserted', 'reordered'] as const

export type AuditFaultKind = (typeof auditFaultKinds)[number]

const auditFault = z.object({
  kind: z.enum(auditFaultKinds),
  entry_id: z
    .nullable(z.string())
    .check(z.describe('The entry; null where neither it nor its seal is left.')),
  timestamp: z.nullable(instant).check(z.describe('When the entry was written, as its id says.')),
  seq: z.nullable(z.int()).check(z.describe('Its place in the chain; null for an entry that has none.')),
})

export type AuditFault = z.output<typeof auditFault>

const sealHash = z
  .string()
  .check(
    z.toLowerCase(),
    z.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits.'),
    z.meta({ examples: ['739ee0fb8c59070f75fce9c02c0153e5b8be04f2ee4421f4a70dce64e88d9a81'] }),
  )

export const verifyAuditTrail = endpoint({
  method: 'POST',
  path: '/api/audit/verify',
  access: 'admin',
  effect: 'write',
  keyless: true,
  summary: 'Check that no entry of the audit trail was changed, removed, added or moved',
  description:
    'What waits is sealed first; then every entry is compared with its seal and every seal with the one before. With a seal that was kept elsewhere, as head gave it, what came before it must still be the same.',
  body: z.optional(
    z
      .object({ seq: z.optional(z.int().check(z.positive())), hash: z.optional(sealHash) })
      .check(
        z.refine(
          ({ seq, hash }) => (seq === undefined) === (hash === undefined),
          'A seal is a number and a hash.',
        ),
      ),
  ),
  reply: {
    status: 200,
    json: z.object({
      intact: z.boolean(),
      checked: z.int().check(z.describe('How many entries were found good, up to the first bad one.')),
      detached: z
        .int()
        .check(
          z.describe(
            'Entries of a time that was put aside: their seals are in order, the entries themselves were not looked at.',
          ),
        ),
      head: z
        .nullable(z.object({ seq: z.int(), hash: z.string() }))
        .check(
          z.describe(
            'The newest seal: kept elsewhere, it proves later that the trail up to here is still the same.',
          ),
        ),
      fault: z.nullable(auditFault),
    }),
  },
  errors: [],
})
