import type { Line } from '../report.ts'
import { quantile, slowDown, takeNotes, typeAtOnce, typeSlowly, type Floor } from './floor.ts'

/** A handheld of some years ago beside this machine. */
const slow = 6
const milliseconds = (value: number) => `${value.toFixed(1)} ms`

function allowed(what: string, ours: number, most: number): Line {
  return {
    what,
    ours: milliseconds(ours),
    reference: `${most} ms allowed`,
    ratio: most / ours,
    goal: 1,
  }
}

async function stored({ page }: Floor, count: number): Promise<void> {
  await page.getByText(`All ${count.toLocaleString('en-US')} scans stored`).waitFor({ timeout: 300_000 })
}

const scans = 200

/**
 * From the Enter behind the quantity to the result on the screen, less what the server took. The barcode is scanned, the
 * quantity typed by hand.
 */
export async function measureScans(floor: Floor): Promise<Line[]> {
  await slowDown(floor, slow)
  await takeNotes(floor)
  const own: number[] = []
  for (const { barcode, quantity } of floor.company.rows.slice(0, scans)) {
    await typeAtOnce(floor, [barcode])
    await typeSlowly(floor, String(quantity), 150)
    await floor.page.waitForFunction(
      (code) => window.notes.results.at(-1)?.code === code && window.notes.answers.length > 0,
      barcode,
      { polling: 50 },
    )
    const { enters, results, answers } = await takeNotes(floor)
    own.push((results.at(-1)?.at ?? 0) - (enters.at(-1) ?? 0) - (answers.at(-1) ?? 0))
  }
  await slowDown(floor, 1)
  const what = (which: string) => `Scan to result, less the server's answer, ${which}, ${slow}x slower`
  // The slowest is the first, of a screen that has run nothing yet.
  return [
    allowed(what('p50'), quantile(own, 0.5), 50),
    allowed(what('p99'), quantile(own, 0.99), 50),
    allowed(what('the slowest'), quantile(own, 1), 50),
  ]
}

const words = ['bracket', 'number 12', 'steel', 'sku-0042', 'm17', 'component 9']

async function lettersAt(floor: Floor, rate: number): Promise<number[]> {
  const search = floor.page.getByLabel('Find in the list')
  await slowDown(floor, rate)
  await takeNotes(floor)
  for (const word of words) {
    await search.fill('')
    await search.pressSequentially(word, { delay: 120 })
  }
  await search.fill('')
  const { letters } = await takeNotes(floor)
  await slowDown(floor, 1)
  return letters
}

/** Letters typed into the search over the list: the time each keeps the page busy, on a handheld and on this machine. */
export async function measureSearch(floor: Floor): Promise<Line[]> {
  await floor.page.getByRole('button', { name: 'List', exact: true }).click()
  const slowed = await lettersAt(floor, slow)
  const full = await lettersAt(floor, 1)
  await floor.page.getByRole('button', { name: 'Close dialog' }).click()
  await floor.page.getByLabel('Barcode').focus()
  const what = 'A letter into the search of the list'
  return [
    allowed(`${what}, p50, ${slow}x slower`, quantile(slowed, 0.5), 16),
    allowed(`${what}, p99, ${slow}x slower`, quantile(slowed, 0.99), 16),
    allowed(`${what}, p99, at full speed`, quantile(full, 0.99), 16),
  ]
}

const waiting = 1_200

/** What waited while the network was away, from its return until the last is stored. */
export async function measureDrain(floor: Floor): Promise<Line[]> {
  const { page, company } = floor
  const before = scans
  await page.context().setOffline(true)
  const lines = company.rows
    .slice(before, before + waiting)
    .flatMap(({ barcode, quantity }) => [barcode, String(quantity)])
  for (let from = 0; from < lines.length; from += 100) await typeAtOnce(floor, lines.slice(from, from + 100))
  await page.getByText(`stored, ${waiting.toLocaleString('en-US')} waiting`).waitFor({ timeout: 60_000 })
  const start = performance.now()
  await page.context().setOffline(false)
  await stored(floor, before + waiting)
  const perSecond = waiting / ((performance.now() - start) / 1000)
  return [
    {
      what: `${waiting.toLocaleString('en-US')} entries that waited, sent in order`,
      ours: `${perSecond.toFixed(0)}/s`,
      reference: '100/s wanted',
      ratio: perSecond / 100,
      goal: 1,
    },
  ]
}

async function heapAfterCollection({ devtools }: Floor): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize
}

const round = 500
const manyScans = 5_000

/** The page's memory after many scans of the same components through that after the first thousand. */
export async function measureMemory(floor: Floor): Promise<Line[]> {
  const lines = floor.company.rows
    .slice(0, round)
    .flatMap(({ barcode, quantity }) => [barcode, String(quantity)])
  let sent = scans + waiting
  let early = 0
  for (let done = round; done <= manyScans; done += round) {
    for (let from = 0; from < lines.length; from += 100)
      await typeAtOnce(floor, lines.slice(from, from + 100))
    sent += round
    await stored(floor, sent)
    await takeNotes(floor)
    if (done === 1_000) early = await heapAfterCollection(floor)
  }
  const late = await heapAfterCollection(floor)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`
  return [
    {
      what: `Memory after ${manyScans.toLocaleString('en-US')} scans, through that after 1,000`,
      ours: megabytes(late),
      reference: megabytes(early),
      ratio: early / late,
      goal: 0.97,
    },
  ]
}
