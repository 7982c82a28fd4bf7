import { endpoint } from '../endpoint.ts'
import { labelLogo } from '../labels/logo.ts'
import { z } from '../zod.ts'

/** Made from the logo by whoever sets it, and gone when the logo changes. */
export const setLabelLogo = endpoint({
  method: 'POST',
  path: '/api/company/label-logo',
  access: 'admin',
  effect: 'write',
  summary: 'Print the logo on labels, in black and white, or no more',
  body: z.object({
    rows: z
      .nullable(labelLogo)
      .check(z.describe("From the top, '1' is black; null for labels without the logo.")),
  }),
  reply: { status: 200, json: z.object({ success: z.literal(true) }) },
  errors: ['not_found', 'branding_not_in_plan'],
})
