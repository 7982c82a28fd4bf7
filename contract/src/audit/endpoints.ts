import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { clientInstant, cursor, instant, pageSize, place, plainMap, text } from '../values.ts'
import { auditKindNames } from './rules.ts'

const auditEntry = z.object({
  id: z.string(),
  kind: z.enum(auditKindNames),
  sku: z.string(),
  quantity: z.number().nullable(),
  location: z.string().nullable(),
  source: z.string(),
  timestamp: instant,
  user_type: z.string(),
  user_name: z.string(),
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
    sku: text(100).optional().meta({ description: 'Part of a SKU.' }),
    location: place.optional(),
    source: text(100).optional(),
    action: text(100)
      .optional()
      .meta({ description: 'A kind of entry, or part of its name on the screen, such as Count.' }),
    user: text(100).optional().meta({ description: 'Part of the name of who did it.' }),
    from: clientInstant.optional(),
    to: clientInstant.optional(),
    limit: pageSize({ initial: 100, max: 1000 }),
    cursor: cursor.optional(),
  }),
  reply: {
    status: 200,
    json: z.object({
      entries: z.array(auditEntry),
      total: z.int().meta({
        description:
          'How many entries there are, or pass the filter. Of a filtered trail longer than 100,000 entries: how many pass from the cursor back to looked_back_to.',
      }),
      next_cursor: z.string().nullable(),
      looked_back_to: instant.nullable().meta({
        description:
          'A filter looks through 100,000 entries at a time. This look went back to here and next_cursor goes on; null where nothing older is left.',
      }),
    }),
  },
  errors: [],
})

const auditFaultKinds = ['changed', 'missing', 'inserted', 'reordered'] as const

export type AuditFaultKind = (typeof auditFaultKinds)[number]

const auditFault = z.object({
  kind: z.enum(auditFaultKinds),
  entry_id: z
    .string()
    .nullable()
    .meta({ description: 'The entry; null where neither it nor its seal is left.' }),
  timestamp: instant.nullable().meta({ description: 'When the entry was written, as its id says.' }),
  seq: z.int().nullable().meta({ description: 'Its place in the chain; null for an entry that has none.' }),
})

export type AuditFault = z.output<typeof auditFault>

export const verifyAuditTrail = endpoint({
  method: 'POST',
  path: '/api/audit/verify',
  access: 'admin',
  effect: 'write',
  keyless: true,
  summary: 'Check that no entry of the audit trail was changed, removed, added or moved',
  description:
    'What waits is sealed first; then every entry is compared with its seal and every seal with the one before.',
  reply: {
    status: 200,
    json: z.object({
      intact: z.boolean(),
      checked: z.int().meta({ description: 'How many entries were found good, up to the first bad one.' }),
      detached: z.int().meta({
        description:
          'Entries of a time that was put aside: their seals are in order, the entries themselves were not looked at.',
      }),
      head: z.object({ seq: z.int(), hash: z.string() }).nullable().meta({
        description:
          'The newest seal: kept elsewhere, it proves later that the trail up to here is still the same.',
      }),
      fault: auditFault.nullable(),
    }),
  },
  errors: [],
})
