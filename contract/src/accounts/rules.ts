import { z } from '../zod.ts'
import { roles } from '../roles.ts'
import { text } from '../values.ts'
import { registrationMessages } from './messages.ts'

export const minPasswordLength = 4

/** A password as it is given: taken exactly as sent, never trimmed. */
export const password = text(200)

/** A password to be set. */
export const newPassword = password
  .min(1, { error: registrationMessages.passwordRequired, abort: true })
  .min(minPasswordLength, registrationMessages.passwordLength)

/** An e-mail address in the form it is stored and compared: trimmed, in lower case. */
export const email = text(254)
  .trim()
  .toLowerCase()
  .min(1, { error: registrationMessages.emailRequired, abort: true })
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, registrationMessages.emailFormat)

/** Whether text looks like an e-mail address (specification 5). */
export function isEmail(value: string): boolean {
  return email.safeParse(value).success
}

/** Whether the runtime knows an IANA time zone by this name. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone.')
  .meta({ examples: ['Europe/Berlin'] })

/** A person to be added to a company. */
export const newUser = z.object({
  email,
  name: text(200).trim().min(1),
  password: newPassword,
  role: z.enum(roles),
})
