import { endpoint } from '../endpoint.ts'
import { locationCodes } from '../locations.ts'
import { z } from '../zod.ts'

/** What other programs have to know to read what the company's files say, and to send it back. */
export const getCompany = endpoint({
  method: 'GET',
  path: '/api/company',
  access: 'member',
  scope: 'read',
  effect: 'read',
  summary: 'Show the name, locations, time zone and currency of the company',
  reply: {
    status: 200,
    json: z.object({
      name: z.string(),
      time_zone: z.string().check(z.describe('An IANA time zone, in which its days and months are.')),
      currency: z.string().check(z.describe('In which unit costs are said, by its ISO 4217 code.')),
      locations: z.array(
        z.object({
          code: z.enum(locationCodes).check(z.describe('What every call takes and answers.')),
          name: z.string().check(z.describe('What people read, and files say without `names=codes`.')),
          in_plan: z.boolean().check(z.describe('Whether the plan opens it; others are read only.')),
        }),
      ),
    }),
  },
  errors: [],
})
