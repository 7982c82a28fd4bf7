import { z } from '../zod.ts'

/** A day in the time zone of the company, as '2026-11-30'. */
export const day = z.iso.date('must be a day such as 2026-11-30.').check(z.meta({ examples: ['2026-11-30'] }))
