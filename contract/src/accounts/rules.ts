import { z } from '../zod.ts'
import { roles } from '../roles.ts'
import { text } from '../values.ts'
import { registrationMessages } from './messages.ts'

export const minPasswordLength = 4

/** A password as it is given: taken exactly as sent, never trimmed. */
export const password = text(200)

/** A password to be set. */
export const newPassword = password.check(
  z.minLength(1, { error: registrationMessages.passwordRequired, abort: true }),
  z.minLength(minPasswordLength, registrationMessages.passwordLength),
)

/** An e-mail address in the form it is stored and compared: trimmed, in lower case. */
export const email = text(254).check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, { error: registrationMessages.emailRequired, abort: true }),
  z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, registrationMessages.emailFormat),
)

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
  .check(
    z.maxLength(64),
    z.refine(isTimeZone, 'must be an IANA time zone.'),
    z.meta({ examples: ['Europe/Berlin'] }),
  )

/** A person to be added to a company. */
export const newUser = z.object({
  email,
  name: text(200).check(z.trim(), z.minLength(1)),
  password: newPassword,
  role: z.enum(roles),
})
