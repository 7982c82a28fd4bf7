import { decisionWord } from '@inventory-manager/contract/accuracy/messages'
import { isAsDecided } from '@inventory-manager/contract/discrepancies/rules'
import { money } from '@inventory-manager/contract/money'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import { signed, signedMoney } from '@inventory-manager/contract/signed'
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
import { clockOf } from '../platform/written-times.ts'
import { factsOf, hasSettled, hasValues, type Certificate } from './certificate-facts.ts'
import type { CertifiedDifference } from './certificate-queries.ts'

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
    const texts = [name, wholeNumber(entries), clock(first), clock(last)]
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

const valuedColumns = [
  { head: 'SKU', share: 0.22 },
  { head: 'Expected', share: 0.085, numeric: true },
  { head: 'Counted', share: 0.08, numeric: true },
  { head: 'Difference', share: 0.095, numeric: true },
  { head: 'Value', share: 0.14, numeric: true },
  { head: 'Counted by', share: 0.18 },
  { head: 'Decision', share: 0.2 },
] as const

function whoDecided({ status, decided_by: by }: CertifiedDifference): string {
  if (by === null) return ''
  return isAsDecided({ status }) ? `by ${by}` : `${decisionWord('recount')} by ${by}`
}

/** `currency`: that of the values, where they are shown. */
type Shown = {
  /** Where it was, of those differences that are not all at one location. */
  nameOf: (location: string) => string
  currency: string | null
  clock: (at: Date) => string
}

function valueText({ value }: CertifiedDifference, currency: string): string {
  return value === null ? '–' : signedMoney(value, currency)
}

function cellsOf(row: CertifiedDifference, { nameOf, currency, clock }: Shown): DocumentCell[] {
  const attempts = row.attempts > 1 ? `, entry ${row.attempts}` : ''
  return [
    [
      { text: row.sku },
      { text: row.description, tone: 'grey' },
      { text: nameOf(row.location), tone: 'grey' },
    ],
    [{ text: wholeNumber(row.expected) }],
    [{ text: wholeNumber(row.counted) }],
    [{ text: signed(row.counted - row.expected) }],
    ...(currency === null ? [] : [[{ text: valueText(row, currency) }]]),
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
  certificate: Certificate,
  { clock, signal }: { clock: (at: Date) => string; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const { differences, location, locationNames } = certificate
  addSpace(document, 16)
  addParagraph(document, 'Differences', { fontSize: 12, bold: true })
  addSpace(document, 4)
  if (differences.length === 0) {
    addParagraph(document, 'Every line that was counted matched.', { fontSize: 9 })
    return
  }
  const width = widthOf(document)
  const currency = hasValues(certificate) ? certificate.currency : null
  const shown = currency === null ? differenceColumns : valuedColumns
  const columns = shown.map(({ share, ...column }) => ({ ...column, width: width * share }))
  const nameOf = (place: string) => (location === undefined ? placeName(place, locationNames) : '')
  const rows = differences.map((row) => cellsOf(row, { nameOf, currency, clock }))
  yield* addTable(document, columns, { rows, signal })
}

function textsOf(certificate: Certificate): string[] {
  const { companyName, locationNames, issuedBy, session, people, differences, currency } = certificate
  return [
    companyName,
    ...Object.values(locationNames).map((name) => name ?? ''),
    issuedBy,
    money(0, currency),
    session ?? '',
    ...people.map(({ name }) => name),
    ...differences.flatMap((row) =>
      [row.sku, row.description, row.user_name, row.reason, row.note, row.decided_by].map(
        (text) => text ?? '',
      ),
    ),
  ]
}

const aboutLines =
  'A line is one count of one SKU at one location. Accuracy is the share of lines whose last entry was what the stock said; differences are never netted. '
const aboutSettled =
  'What was settled by another count is in the pieces of that one, and is not summed again. '
const aboutValues =
  'Values are at the unit cost when the difference was decided, or when this was issued where it still waits. '
const aboutIssue = 'Issuing this certificate is recorded in the audit trail under its number.'

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
  const about = [
    aboutLines,
    hasSettled(certificate) ? aboutSettled : '',
    hasValues(certificate) ? aboutValues : '',
    aboutIssue,
  ]
  addParagraph(document, about.join(''), { fontSize: 8, tone: 'grey' })
  addSignatures(document, ['Counted: date, name, signature', 'Approved: date, name, signature'])
  yield await closeDocument(document)
}
