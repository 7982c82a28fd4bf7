import { text } from './values.ts'
import { z } from './zod.ts'

/** The longest text that is searched for. */
export const maxSoughtLength = 100

/** A text that is searched for. */
export const soughtText = text(maxSoughtLength).check(z.trim())
