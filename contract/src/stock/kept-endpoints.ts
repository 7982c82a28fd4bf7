import { endpoint, mebibyte } from '../endpoint.ts'
import { barcode, location } from '../values.ts'
import { z } from '../zod.ts'
import { severalComponents } from './many.ts'

const refusals = ['stock', 'on_its_way', 'difference', 'weekly'] as const

/** What keeps a location from leaving a component out. */
export type KeptRefusal = (typeof refusals)[number]

const refused = z.object({
  barcode: z.string(),
  reason: z
    .enum(refusals)
    .check(
      z.describe(
        'There is stock of it there, or some on its way there; a difference waits there for a decision; it is on a weekly list there.',
      ),
    ),
})

export const keepComponents = endpoint({
  method: 'POST',
  path: '/api/components/keep',
  access: 'admin',
  effect: 'write',
  summary:
    'Say which components a location keeps: its monthly count, its progress and its sheets leave the others out',
  description:
    'A location keeps every component until it is told otherwise. What comes to it as stock, is counted there or put on a weekly list there, it keeps from then on. All barcodes that mean a component in use are taken, in one transaction, but for what may not be left out; the others are named in the reply.',
  maxBodyBytes: mebibyte,
  body: z.object({
    location,
    kept: z.boolean(),
    barcodes: z
      .optional(severalComponents(barcode))
      .check(
        z.describe(
          'Left out: all that the location leaves out, or to leave out, all that has neither stock nor a bin, a minimum or a weekly list there.',
        ),
      ),
  }),
  reply: {
    status: 200,
    json: z.object({
      success: z.literal(true),
      changed: z.int(),
      not_found: z.array(z.string()),
      refused: z.array(refused),
    }),
  },
  errors: ['location_not_in_plan', 'trial_expired'],
})

export const countKept = endpoint({
  method: 'GET',
  path: '/api/components/kept',
  access: 'admin',
  effect: 'read',
  summary: 'Count what a location keeps and what it leaves out',
  query: z.object({ location }),
  reply: {
    status: 200,
    json: z.object({
      kept: z.int(),
      not_kept: z.int(),
      empty: z
        .int()
        .check(
          z.describe('How many of the kept have neither stock nor a bin, a minimum or a weekly list there.'),
        ),
    }),
  },
  errors: ['location_not_in_plan'],
})
