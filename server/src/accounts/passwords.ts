import { hash, verify } from '@node-rs/argon2'
import { lineOf } from '../platform/http/network.ts'
import { createTurns, createTurnsOfEach } from '../platform/turns.ts'

/** OWASP's and ASVS 5 appendix C's least for argon2id: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const waiting = { what: 'turns for passwords', maxWaiting: 50 } as const

/** Hashing works on other threads, but few at a time: a flood of sign-ins must not slow counting down. */
const bounded = createTurns({ ...waiting, maxRunning: 2 })

/**
 * Of one account, one address of the network and one line of IPv6, no more wait for that than may run: others come between them.
 */
const ofAccount = createTurnsOfEach({ ...waiting, maxRunning: 1 })
const ofAddress = createTurnsOfEach({ ...waiting, maxRunning: 2 })
const ofLine = createTurnsOfEach({ ...waiting, maxRunning: 8 })

/** Looks at a password that somebody says, in a turn that leaves others theirs. */
export async function inFairTurn<T>(
  { email, address }: { email: string; address: string },
  look: () => Promise<T>,
): Promise<T> {
  const line = lineOf(address)
  // Innermost, so that one network of a line does not take the places of its others.
  const inLine = () => (line === null ? look() : ofLine(line, look))
  return await ofAccount(email, () => ofAddress(address, inLine))
}

export async function hashPassword(password: string): Promise<string> {
  return await bounded(() => hash(password, cost))
}

let decoy: Promise<string> | undefined

/** Compares a password with a stored hash; with none (no such account) it takes as long and says no. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('a password nobody has', cost)
  const against = stored ?? (await decoy)
  const equal = await bounded(() => verify(against, password))
  return equal && stored !== null
}
