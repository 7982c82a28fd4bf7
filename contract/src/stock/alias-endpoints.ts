import { endpoint } from '../endpoint.ts'
import { barcode } from '../values.ts'
import { z } from '../zod.ts'
import { maxPackPieces, packs } from './packs.ts'

/** How many other barcodes a component may have. */
export const maxAliases = 20

const aliases = z.array(z.string())

const body = z.object({
  barcode: barcode.check(z.describe('Any barcode of the component.')),
  alias: barcode,
})

const changed = z.object({
  success: z.literal(true),
  aliases: aliases.check(z.describe('All other barcodes that the component has now, sorted.')),
  packs,
})

export const addBarcode = endpoint({
  method: 'POST',
  path: '/api/components/add-barcode',
  access: 'admin',
  effect: 'write',
  summary: 'Give a component another barcode, by which it is counted and found from now on',
  description:
    'Quantities of a count are always pieces, whichever barcode was scanned. A barcode that the component has already gets the number of pieces that is given, and stays as it is where none is.',
  body: z.extend(body, {
    pieces: z
      .optional(z.int().check(z.minimum(1), z.maximum(maxPackPieces)))
      .check(
        z.describe(
          'How many pieces one scan of it stands for, such as 12 for a case of 12; 1 of a new one where it is left out.',
        ),
      ),
  }),
  reply: { status: 201, json: changed },
  errors: ['not_found', 'component_retired', 'barcode_taken', 'too_many_aliases', 'trial_expired'],
})

/** How many barcodes are looked up in one call. */
export const maxPackLookups = 1000

export const findPacks = endpoint({
  method: 'POST',
  path: '/api/components/packs',
  access: 'member',
  effect: 'read',
  summary: 'Tell which of some barcodes are those of packs',
  description:
    'Whatever is booked is pieces, whichever barcode it is booked by: so a program can ask before three cases become three pieces.',
  body: z.object({
    barcodes: z.array(barcode).check(z.minLength(1), z.maxLength(maxPackLookups)),
  }),
  reply: {
    status: 200,
    json: z.object({
      packs: z
        .array(z.object({ barcode: z.string(), pieces: z.int(), component: z.string() }))
        .check(
          z.describe(
            'Those that are no component’s own and stand for several pieces, as they were given, each with the barcode of its component.',
          ),
        ),
    }),
  },
  errors: [],
})

export const removeBarcode = endpoint({
  method: 'POST',
  path: '/api/components/remove-barcode',
  access: 'admin',
  effect: 'write',
  summary: 'Take another barcode from a component',
  body,
  reply: { status: 200, json: changed },
  errors: ['not_found', 'trial_expired'],
})
