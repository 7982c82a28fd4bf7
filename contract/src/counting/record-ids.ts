import { text } from '../values.ts'
import { z } from '../zod.ts'

/** What a client calls a record of a count. */
export const recordId = text(200).check(z.minLength(1))
export const recordPath = z.object({ id: recordId })
