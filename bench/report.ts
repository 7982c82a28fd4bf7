import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

/** One measured line: a figure of ours, what it is compared with in the same run, and what it should reach. */
export type Line = {
  what: string
  ours: string
  reference: string
  /** Ours through the reference, or the other way round where less is better: larger is better always. */
  ratio: number
  goal: number
  /** When it was measured and on what, where the lines of a file are of several runs. */
  date?: string
  processor?: string
}

const folder = join(import.meta.dirname, 'results')

type Kept = { date: string; machine?: { processor: string }; lines: Line[] }

async function readLast(part: string): Promise<Kept> {
  const text = await readFile(join(folder, `${part}.json`), 'utf8').catch(() => '{"date":"","lines":[]}')
  const last: Kept = JSON.parse(text)
  return last
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function print(part: string, lines: readonly Line[], last: ReadonlyMap<string, number>): void {
  say(`\n${part}`)
  say(
    `${'What'.padEnd(52)}${'ours'.padStart(22)}${'reference'.padStart(26)}${'ratio'.padStart(8)}${'goal'.padStart(7)}${'last'.padStart(8)}`,
  )
  for (const { what, ours, reference, ratio, goal } of lines) {
    const before = last.get(what)?.toFixed(2) ?? ''
    say(
      `${what.padEnd(52)}${ours.padStart(22)}${reference.padStart(26)}${ratio.toFixed(2).padStart(8)}${goal.toFixed(2).padStart(7)}${before.padStart(8)}${ratio >= goal ? '' : '  below'}`,
    )
  }
}

/**
 * Prints a part's lines beside those of the last result, and keeps them in bench/results. Of a part that is reported bit by bit
 * the other lines stay, with their date and processor; another result stays as it is where this run left some of its lines out.
 */
export async function report(
  { name, isBit, facts }: { name: string; isBit: boolean; facts: Record<string, string> },
  lines: readonly Line[],
): Promise<void> {
  const last = await readLast(name)
  print(name, lines, new Map(last.lines.map(({ what, ratio }) => [what, ratio])))
  const measured = new Set(lines.map(({ what }) => what))
  const others = last.lines.filter(({ what }) => !measured.has(what))
  if (others.length > 0 && !isBit) {
    say(`bench/results/${name}.json stays as it is; to replace it, delete it. This run left out:`)
    for (const { what } of others) say(`  ${what}`)
    return
  }
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
  }
  await mkdir(folder, { recursive: true })
  const date = new Date().toISOString()
  const fresh = isBit ? lines.map((line) => ({ ...line, date, processor: machine.processor })) : lines
  const before = { date: last.date, processor: last.machine?.processor ?? 'unknown' }
  const kept = {
    date,
    machine,
    facts,
    lines: [...others.map((line) => ({ ...before, ...line })), ...fresh],
  }
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`)
}
