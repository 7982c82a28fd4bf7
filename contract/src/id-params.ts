import { z } from './zod.ts'

/** What a call is about, by the id that an earlier reply gave it. */
export const idParams = z.object({ id: z.uuid('must be the id of an earlier reply.') })
