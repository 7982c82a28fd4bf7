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
}

const folder = join(import.meta.dirname, 'results')

async function readLast(part: string): Promise<Map<string, number>> {
  const text = await readFile(join(folder, `${part}.json`), 'utf8').catch(() => '{"lines":[]}')
  const { lines }: { lines: Line[] } = JSON.parse(text)
  return new Map(lines.map(({ what, ratio }) => [what, ratio]))
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints a part's lines beside those of the last result, and keeps them in bench/results. */
export async function report(
  part: string,
  lines: readonly Line[],
  facts: Record<string, string>,
): Promise<void> {
  const last = await readLast(part)
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
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
  }
  await mkdir(folder, { recursive: true })
  const kept = { date: new Date().toISOString(), machine, facts, lines }
  await writeFile(join(folder, `${part}.json`), `${JSON.stringify(kept, null, 2)}\n`)
}
