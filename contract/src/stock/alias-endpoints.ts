import { endpoint } from '../endpoint.ts'
import { barcode } from '../values.ts'
import { z } from '../zod.ts'

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
})

export const addBarcode = endpoint({
  method: 'POST',
  path: '/api/components/add-barcode',
  access: 'admin',
  effect: 'write',
  summary: 'Give a component another barcode, by which it is counted and found from now on',
  body,
  reply: { status: 201, json: changed },
  errors: ['not_found', 'component_retired', 'barcode_taken', 'too_many_aliases', 'trial_expired'],
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
