import { createHash } from 'node:crypto'
import type { Config } from '../platform/config.ts'
import type { OutsideDb } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { lineOf } from '../platform/http/network.ts'
import { countAttempt, forgetAttempts, isKeptSince, keepAttempt, uncountAttempt } from './attempt-queries.ts'

export type AttemptLimit = {
  kind:
    | 'account'
    | 'in_a_row'
    | 'address'
    | 'registration'
    | 'link'
    | 'forgotten'
    | 'forgotten_account'
    | 'mails_of_company'
    | 'mails_to'
    | 'notices_to'
    | 'confirmations_to'
    | 'taken'
    | 'taken_company'
  limit: number
  windowSeconds: number
  /** What somebody is told past the limit, where there is more to say than how long to wait. */
  sentence?: (wait: string) => string
}

export type SignInLimits = Pick<Config, 'SIGN_INS_PER_ACCOUNT' | 'SIGN_INS_PER_ADDRESS'>

const windowSeconds = 900

/** Guesses at one account's password. */
function perAccount(limits: SignInLimits): AttemptLimit {
  return { kind: 'account', limit: limits.SIGN_INS_PER_ACCOUNT, windowSeconds }
}

const monthSeconds = 30 * 86_400

/** Wrong passwords without a right one between them (NIST SP 800-63B-4, 3.2.2: no more than 100). */
const inARow: AttemptLimit = {
  kind: 'in_a_row',
  limit: 100,
  windowSeconds: monthSeconds,
  sentence: () => 'Too many wrong passwords in a row. Choose a new one with a password link.',
}

/** Guesses from one address: at passwords, at the secrets of links, at who has an account, or requests for links. */
export function perAddress(
  limits: SignInLimits,
  kind: 'address' | 'link' | 'forgotten' | 'taken' = 'address',
): AttemptLimit {
  return { kind, limit: limits.SIGN_INS_PER_ADDRESS, windowSeconds }
}

/** Links that are asked for one account, whose password somebody says is forgotten. */
export const forgottenPerAccount: AttemptLimit = { kind: 'forgotten_account', limit: 5, windowSeconds }

/** Only a hash is stored: the table must not tell who tried to sign in. */
function keyOf(limit: { kind: AttemptLimit['kind'] | 'known' | 'renewed' }, subject: string): string {
  return createHash('sha256').update(`${limit.kind}\n${subject}`).digest('base64url')
}

/** How long so many seconds are: whole minutes, never fewer than it takes. */
function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

const tryAgain = (wait: string): string => `Too many attempts. Please try again in ${wait}.`

/** Counts an attempt; throws 'too_many_requests' past the limit, alike for accounts that exist and that do not. */
export async function takeAttempt(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  const { taken, secondsLeft } = await countAttempt(db, keyOf(limit, subject), limit.windowSeconds)
  if (taken <= limit.limit) return
  throw new AppError('too_many_requests', {
    retryAfterSeconds: secondsLeft,
    sentence: (limit.sentence ?? tryAgain)(waitOf(secondsLeft)),
  })
}

/** Gives back one attempt. An address keeps its other ones: signing in to an account of one's own must not clear the
 * guesses at other people's. */
export async function giveBackAttempt(db: OutsideDb, limit: AttemptLimit, subject: string): Promise<void> {
  await uncountAttempt(db, keyOf(limit, subject))
}

/** One line of IPv6 has many networks: together they may have so many times what one may. */
const networksOfALine = 8

function ofLine(limit: AttemptLimit, address: string): { limit: AttemptLimit; line: string } | null {
  const line = lineOf(address)
  return line === null ? null : { limit: { ...limit, limit: limit.limit * networksOfALine }, line }
}

/** Counts an attempt of an address of the network and of its line; throws 'too_many_requests' past the limit of either. */
export async function takeOfNetwork(db: OutsideDb, limit: AttemptLimit, address: string): Promise<void> {
  await takeAttempt(db, limit, address)
  const wider = ofLine(limit, address)
  if (wider === null) return
  try {
    await takeAttempt(db, wider.limit, wider.line)
  } catch (error) {
    // Nothing was looked at: it is no attempt of the address.
    await giveBackAttempt(db, limit, address)
    throw error
  }
}

/** Gives back one attempt of an address of the network. */
export async function giveBackOfNetwork(db: OutsideDb, limit: AttemptLimit, address: string): Promise<void> {
  await giveBackAttempt(db, limit, address)
  const wider = ofLine(limit, address)
  if (wider !== null) await giveBackAttempt(db, wider.limit, wider.line)
}

/** Where somebody says a password: an account's e-mail and an address of the network. */
type SignInPlace = { email: string; address: string }

function placeText({ email, address }: SignInPlace): string {
  return `${email}\n${address}`
}

/**
 * Whose guesses an attempt to sign in is among: the account's, or, where its owner has signed in from this address within a
 * month and with the present password, those from there alone. So nobody is kept out of where they work by who guesses elsewhere.
 */
export async function guesserAt(db: OutsideDb, place: SignInPlace): Promise<string> {
  const key = keyOf({ kind: 'known' }, placeText(place))
  const other = keyOf({ kind: 'renewed' }, place.email)
  const isKnown = await isKeptSince(db, { key, other }, monthSeconds)
  return isKnown ? placeText(place) : place.email
}

/** Counts a guess at a password; throws 'too_many_requests' past what a quarter of an hour or a row of wrong ones may have. */
export async function takeGuess(db: OutsideDb, limits: SignInLimits, guesser: string): Promise<void> {
  await takeAttempt(db, perAccount(limits), guesser)
  await takeAttempt(db, inARow, guesser)
}

/** Gives back a guess at a password that nobody has looked at. */
export async function giveBackGuess(db: OutsideDb, limits: SignInLimits, guesser: string): Promise<void> {
  await giveBackAttempt(db, perAccount(limits), guesser)
  await giveBackAttempt(db, inARow, guesser)
}

/** Does the work that was counted; where there was no turn for it, nothing was tried, and it is given back. */
export async function countedWork<T>(work: () => Promise<T>, giveBack: () => Promise<void>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') await giveBack()
    throw error
  }
}

/** Forgets the guesses of who has said the right password. */
export async function clearGuesses(db: OutsideDb, limits: SignInLimits, guesser: string): Promise<void> {
  await forgetAttempts(db, keyOf(perAccount(limits), guesser))
  await forgetAttempts(db, keyOf(inARow, guesser))
}

/** Knows from now on, for a month, where somebody has said the right password. */
export async function knowPlace(db: OutsideDb, place: SignInPlace): Promise<void> {
  await keepAttempt(db, keyOf({ kind: 'known' }, placeText(place)))
}

/** Begins anew for who has a new account or password: no guess of before counts, here or elsewhere. */
export async function forgiveGuesses(db: OutsideDb, limits: SignInLimits, place: SignInPlace): Promise<void> {
  await clearGuesses(db, limits, place.email)
  await clearGuesses(db, limits, placeText(place))
  await keepAttempt(db, keyOf({ kind: 'renewed' }, place.email))
  await knowPlace(db, place)
}

const hourSeconds = 3_600
const takenOfCompany: AttemptLimit = { kind: 'taken_company', limit: 100, windowSeconds: hourSeconds }

/**
 * Invites somebody, or takes them back. That an address has an account already, maybe in another company, is told only so often to
 * a company and to an address of the network; past it nothing is said of any.
 */
export async function countingTaken<T>(
  { db, limits }: { db: OutsideDb; limits: SignInLimits },
  { tenantId, address }: { tenantId: string; address: string },
  work: () => Promise<T>,
): Promise<T> {
  const perNetwork = perAddress(limits, 'taken')
  await takeOfNetwork(db, perNetwork, address)
  await takeAttempt(db, takenOfCompany, tenantId)
  const giveBack = async () => {
    await giveBackOfNetwork(db, perNetwork, address)
    await giveBackAttempt(db, takenOfCompany, tenantId)
  }
  try {
    const done = await work()
    await giveBack()
    return done
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'email_taken') await giveBack()
    throw error
  }
}
