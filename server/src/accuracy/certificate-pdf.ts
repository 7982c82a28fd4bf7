import { decisionWord } from '@inventory-manager/contract/accuracy/messages'
import {
  accuracyWithinTolerance,
  recordAccuracy,
  type LineFigures,
} from '@inventory-manager/contract/accuracy/rules'
import { signed } from '@inventory-manager/contract/discrepancies/messages'
import { isAsDecided } from '@inventory-manager/contract/discrepancies/rules'
import { placeName } from '@inventory-manager/contract/stock/places'
import {
  addParagraph,
  addRow,
  addSignatures,
  addSpace,
  addTable,
  beginTable,
  closeDocument,
  openDocument,
  takeDocumentBytes,
  widthOf,
  type DocumentCell,
  type DocumentColumn,
  type Paper,
  type PdfDocument,
} from '../platform/pdf/document.ts'
import type { PdfFonts } from '../platform/pdf/fonts.ts'
import { clockOf, monthName } from '../platform/pdf/written-times.ts'
import type { CertifiedDifference, CountingPerson, Coverage } from './certificate-queries.ts'

/** Everything a certificate says. */
export type Certificate = {
  id: string
  companyName: string
  issuedBy: string
  issuedAt: Date
  timeZone: string
  month: string
  location: string | undefined
  /** Where the company counts, for a certificate of all of it. */
  places: string[]
  session: string | undefined
  figures: LineFigures
  coverage: Coverage
  people: CountingPerson[]
  differences: CertifiedDifference[]
}

const whole = new Intl.NumberFormat('en-US')

/** The months in which a session was counted; else the one that was asked for. */
function monthsOf({ session, month, people, timeZone }: Certificate): [string, string] {
  if (session === undefined) return ['Month', monthName(month)]
  const named = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone })
  const names = people
    .flatMap(({ first, last }) => [first, last])
    .toSorted((one, other) => one.getTime() - other.getTime())
    .map((at) => named.format(at))
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
  return `${whole.format(counted)} of ${whole.format(kept)}${share}`
}

/** The places a certificate is about: of a session those where it was. */
function placesOf({ location, session, places, coverage }: Certificate): string[] {
  if (location !== undefined) return [location]
  const entered = coverage.places.map(({ place }) => place)
  return session === undefined ? Array.from(new Set([...places, ...entered])) : entered
}

/** What was counted at each place: all that is kept at one says nothing of another. */
function coverageOf(certificate: Certificate): [string, string][] {
  const label = 'Components counted'
  // Its lines are known; the counts themselves are put aside (docs/large-installations.md, 'Old history').
  if (certificate.people.length === 0) return [[label, 'Not known']]
  const { kept, places: counts } = certificate.coverage
  const shares = placesOf(certificate).map((place) => {
    const counted = counts.find((each) => each.place === place)?.counted ?? 0
    return { place, share: shareOf(counted, kept) }
  })
  if (shares.length < 2) return [[label, shares[0]?.share ?? shareOf(0, kept)]]
  return shares.map(({ place, share }, index) => [index === 0 ? label : '', `${placeName(place)}: ${share}`])
}

/** From the first entry to the last one. */
function spanOf({ people, timeZone }: Certificate, clock: (at: Date) => string): string {
  if (people.length === 0) return 'Not known'
  const first = Math.min(...people.map((person) => person.first.getTime()))
  const last = Math.max(...people.map((person) => person.last.getTime()))
  return `${clock(new Date(first))} to ${clock(new Date(last))} (${timeZone})`
}

/** What is said of the whole scope, label by label. */
function factsOf(certificate: Certificate, clock: (at: Date) => string): [string, string][] {
  const { figures, location, session, differences } = certificate
  const pieces = (sign: 1 | -1) =>
    differences.reduce((sum, { counted, expected }) => sum + Math.max(0, sign * (counted - expected)), 0)
  return [
    ['Company', certificate.companyName],
    ['Location', location === undefined ? 'All locations' : placeName(location)],
    monthsOf(certificate),
    ['Counting session', session ?? 'All of the month'],
    ['Counted', spanOf(certificate, clock)],
    ...coverageOf(certificate),
    ['Lines counted', whole.format(figures.lines)],
    ['Lines matched', whole.format(figures.matched)],
    ['Accepted within tolerance', whole.format(figures.tolerated)],
    ['Lines that differ', whole.format(figures.lines - figures.matched - figures.tolerated)],
    ['Pieces missing / surplus', `${whole.format(pieces(-1))} / ${whole.format(pieces(1))}, not netted`],
    ['Inventory record accuracy', percentage(recordAccuracy(figures))],
    ['Accuracy within tolerance', percentage(accuracyWithinTolerance(figures))],
    ['Issued', `${clock(certificate.issuedAt)} by ${certificate.issuedBy}`],
    ['Certificate', certificate.id],
  ]
}

function addHead(document: PdfDocument, certificate: Certificate, clock: (at: Date) => string): void {
  addParagraph(document, 'Count certificate', { fontSize: 20, bold: true })
  addSpace(document, 10)
  const width = widthOf(document)
  const columns: DocumentColumn[] = [
    { head: 'Scope and result', width: width * 0.32 },
    { head: '', width: width * 0.68 },
  ]
  beginTable(document, columns)
  for (const [label, value] of factsOf(certificate, clock)) {
    addRow(document, columns, [[{ text: label, tone: 'grey' }], [{ text: value }]])
  }
}

function addPeople(document: PdfDocument, { people }: Certificate, clock: (at: Date) => string): void {
  addSpace(document, 16)
  addParagraph(document, 'People who counted', { fontSize: 12, bold: true })
  addSpace(document, 4)
  const width = widthOf(document)
  const columns: DocumentColumn[] = [
    { head: 'Name', width: width * 0.4 },
    { head: 'Entries', width: width * 0.12, numeric: true },
    { head: 'First', width: width * 0.24 },
    { head: 'Last', width: width * 0.24 },
  ]
  beginTable(document, columns)
  for (const { name, entries, first, last } of people) {
    const texts = [name, whole.format(entries), clock(first), clock(last)]
    addRow(
      document,
      columns,
      texts.map((text) => [{ text }]),
    )
  }
}

const differenceColumns = [
  { head: 'SKU', share: 0.27 },
  { head: 'Expected', share: 0.09, numeric: true },
  { head: 'Counted', share: 0.09, numeric: true },
  { head: 'Difference', share: 0.1, numeric: true },
  { head: 'Counted by', share: 0.18 },
  { head: 'Decision', share: 0.27 },
] as const

function whoDecided({ status, decided_by: by }: CertifiedDifference): string {
  if (by === null) return ''
  return isAsDecided({ status }) ? `by ${by}` : `${decisionWord('recount')} by ${by}`
}

function cellsOf(
  row: CertifiedDifference,
  { showLocation, clock }: { showLocation: boolean; clock: (at: Date) => string },
): DocumentCell[] {
  const attempts = row.attempts > 1 ? `, entry ${row.attempts}` : ''
  return [
    [
      { text: row.sku },
      { text: row.description, tone: 'grey' },
      { text: showLocation ? placeName(row.location) : '', tone: 'grey' },
    ],
    [{ text: whole.format(row.expected) }],
    [{ text: whole.format(row.counted) }],
    [{ text: signed(row.counted - row.expected) }],
    [{ text: row.user_name }, { text: `${clock(row.counted_at)}${attempts}`, tone: 'grey' }],
    [
      { text: [decisionWord(row.status), row.reason ?? ''].filter((part) => part !== '').join(': ') },
      { text: row.note ?? '', tone: 'grey' },
      { text: whoDecided(row), tone: 'grey' },
    ],
  ]
}

async function* addDifferences(
  document: PdfDocument,
  { differences, location }: Certificate,
  { clock, signal }: { clock: (at: Date) => string; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  addSpace(document, 16)
  addParagraph(document, 'Differences', { fontSize: 12, bold: true })
  addSpace(document, 4)
  if (differences.length === 0) {
    addParagraph(document, 'Every line that was counted matched.', { fontSize: 9 })
    return
  }
  const width = widthOf(document)
  const columns = differenceColumns.map(({ share, ...column }) => ({ ...column, width: width * share }))
  const rows = differences.map((row) => cellsOf(row, { showLocation: location === undefined, clock }))
  yield* addTable(document, columns, { rows, signal })
}

function textsOf({ companyName, issuedBy, session, people, differences }: Certificate): string[] {
  return [
    companyName,
    issuedBy,
    session ?? '',
    ...people.map(({ name }) => name),
    ...differences.flatMap((row) =>
      [row.sku, row.description, row.user_name, row.reason, row.note, row.decided_by].map(
        (text) => text ?? '',
      ),
    ),
  ]
}

/**
 * Writes a certificate as PDF, in pieces as they get ready, by the program's own writer of labels (decision 10): it
 * embeds the fonts that every language needs already, and a document library would bring a second way to do that.
 */
export async function* certificatePdf(
  certificate: Certificate,
  { fonts, paper, signal }: { fonts: PdfFonts; paper: Paper; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  await fonts.prepare(textsOf(certificate))
  const document = openDocument({ fonts, paper, footer: `Count certificate ${certificate.id}` })
  const clock = clockOf(certificate.timeZone)
  addHead(document, certificate, clock)
  addPeople(document, certificate, clock)
  yield takeDocumentBytes(document)
  yield* addDifferences(document, certificate, { clock, signal })
  addSpace(document, 16)
  addParagraph(
    document,
    'A line is one count of one SKU at one location. Accuracy is the share of lines whose last entry was what the stock said; differences are never netted. Issuing this certificate is recorded in the audit trail under its number.',
    { fontSize: 8, tone: 'grey' },
  )
  addSignatures(document, ['Counted: date, name, signature', 'Approved: date, name, signature'])
  yield await closeDocument(document)
}
