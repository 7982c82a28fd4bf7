import { withoutCost } from '@inventory-manager/contract/accuracy/messages'
import { accuracyWithinTolerance, recordAccuracy } from '@inventory-manager/contract/accuracy/rules'
import { monthOf } from '@inventory-manager/contract/calendar'
import type { LocationNames } from '@inventory-manager/contract/locations'
import { money } from '@inventory-manager/contract/money'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import { placeName } from '@inventory-manager/contract/stock/places'
import { dayIn } from '../accounts/time-zones.ts'
import { monthName, monthNamesIn } from '../platform/written-times.ts'
import { keptOf } from '../stock/kept-queries.ts'
import type { CertifiedDifference, CountingPerson, Coverage, Figures } from './certificate-queries.ts'

/** Everything a certificate says. */
export type Certificate = {
  id: string
  companyName: string
  locationNames: LocationNames
  issuedBy: string
  issuedAt: Date
  timeZone: string
  month: string
  location: string | undefined
  /** Where the company counts, for a certificate of all of it. */
  places: string[]
  session: string | undefined
  figures: Figures
  coverage: Coverage
  people: CountingPerson[]
  differences: CertifiedDifference[]
  /** Of the values of differences. */
  currency: string
}

/** The months in which a session was counted; else the one that was asked for. */
function monthsOf({ session, month, people, timeZone }: Certificate): [string, string] {
  if (session === undefined) return ['Month', monthName(month)]
  const nameAt = monthNamesIn(timeZone)
  const names = people
    .flatMap(({ first, last }) => [first, last])
    .toSorted((one, other) => one.getTime() - other.getTime())
    .map(nameAt)
  const [first = monthName(month), ...later] = new Set(names)
  if (later.length === 0) return ['Month', first]
  return ['Months', new Intl.ListFormat('en-US').format([first, ...later])]
}

function percentage(value: number | null): string {
  return value === null ? 'none counted' : `${value.toFixed(1)}%`
}

/** 3 of 5,000 is another count than 5,000 of 5,000, however right both are; the share is all only where none is missing. */
function shareOf(counted: number, kept: number): string {
  const share = kept === 0 ? '' : ` (${percentage(Math.floor((1000 * counted) / kept) / 10)})`
  return `${wholeNumber(counted)} of ${wholeNumber(kept)}${share}`
}

/** The places a certificate is about: of a session those where it was. */
function placesOf({ location, session, places, coverage }: Certificate): string[] {
  if (location !== undefined) return [location]
  const entered = coverage.places.map(({ place }) => place)
  return session === undefined ? Array.from(new Set([...places, ...entered])) : entered
}

/** What was counted of what each place keeps: all that is kept at one says nothing of another. */
function coverageOf(certificate: Certificate): [string, string][] {
  // Which components there were then is known of no month that is over.
  const isOver = certificate.month < monthOf(dayIn(certificate.timeZone, certificate.issuedAt).today)
  const label = isOver ? 'Counted of those kept today' : 'Components counted'
  // Its lines are known; the counts themselves are put aside (docs/large-installations.md, 'Old history').
  if (certificate.people.length === 0) return [[label, 'Not known']]
  const { components, notKept, places: counts } = certificate.coverage
  const shares = placesOf(certificate).map((place) => {
    const counted = counts.find((each) => each.place === place)?.counted ?? 0
    return { place, share: shareOf(counted, keptOf(components, notKept, place)) }
  })
  if (shares.length < 2) return [[label, shares[0]?.share ?? shareOf(0, components)]]
  return shares.map(({ place, share }, index) => [
    index === 0 ? label : '',
    `${placeName(place, certificate.locationNames)}: ${share}`,
  ])
}

/** From the first entry to the last one. */
function spanOf({ people, timeZone }: Certificate, clock: (at: Date) => string): string {
  if (people.length === 0) return 'Not known'
  const first = Math.min(...people.map((person) => person.first.getTime()))
  const last = Math.max(...people.map((person) => person.last.getTime()))
  return `${clock(new Date(first))} to ${clock(new Date(last))} (${timeZone})`
}

/** Whether any difference is worth something that is known: without, a certificate says nothing of money. */
export function hasValues({ differences }: Certificate): boolean {
  return differences.some(({ value }) => value !== null)
}

/** The differences whose pieces are summed. */
const owning = ({ differences }: Certificate) => differences.filter((row) => row.owns_pieces)

/** Whether a difference is listed whose pieces are those of another one, which may be of another session. */
export function hasSettled({ differences }: Certificate): boolean {
  return differences.some((row) => !row.owns_pieces)
}

/** What the differences are worth, with how many are not in it. */
function valuesOf(certificate: Certificate): [string, string][] {
  if (!hasValues(certificate)) return []
  const { differences, currency } = certificate
  const sum = (sign: 1 | -1) =>
    money(
      owning(certificate).reduce((total, { value }) => total + Math.max(0, sign * (value ?? 0)), 0),
      currency,
    )
  const lacking = differences.filter(({ value }) => value === null).length
  const without = lacking === 0 ? '' : `; ${withoutCost(lacking, differences.length)}`
  return [['Value missing / surplus', `${sum(-1)} / ${sum(1)}, not netted${without}`]]
}

/** First counts say nothing of how right the stock was, and are no lines. */
function firstCountsOf({ figures: { first_counts: firstCounts } }: Certificate): [string, string][] {
  if (firstCounts === 0) return []
  return [['First counts', `${wholeNumber(firstCounts)}, which set the stock and are no lines`]]
}

/** What is said of the whole scope, label by label. */
export function factsOf(certificate: Certificate, clock: (at: Date) => string): [string, string][] {
  const { figures, location, session, locationNames } = certificate
  const pieces = (sign: 1 | -1) =>
    owning(certificate).reduce(
      (sum, { counted, expected }) => sum + Math.max(0, sign * (counted - expected)),
      0,
    )
  return [
    ['Company', certificate.companyName],
    ['Location', location === undefined ? 'All locations' : placeName(location, locationNames)],
    monthsOf(certificate),
    ['Counting session', session ?? 'All of the month'],
    ['Counted', spanOf(certificate, clock)],
    ...coverageOf(certificate),
    ...firstCountsOf(certificate),
    ['Lines counted', wholeNumber(figures.lines)],
    ['Lines matched', wholeNumber(figures.matched)],
    ['Accepted within tolerance', wholeNumber(figures.tolerated)],
    ['Lines that differ', wholeNumber(figures.lines - figures.matched - figures.tolerated)],
    ['Pieces missing / surplus', `${wholeNumber(pieces(-1))} / ${wholeNumber(pieces(1))}, not netted`],
    ...valuesOf(certificate),
    ['Inventory record accuracy', percentage(recordAccuracy(figures))],
    ['Accuracy within tolerance', percentage(accuracyWithinTolerance(figures))],
    ['Issued', `${clock(certificate.issuedAt)} by ${certificate.issuedBy}`],
    ['Certificate', certificate.id],
  ]
}
