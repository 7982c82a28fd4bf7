import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { z } from 'zod'
import { formFaults } from './forms.ts'
import { layoutOf } from './layout.ts'
import type { Layout } from './places.ts'
import { sentFolder } from './recorder.ts'
import { routingFaults } from './routing.ts'

const server = resolve(import.meta.dirname, '../..')

/** Functions whose statements do not name their company as the others do, each with the reason why they may. */
const exceptions: Readonly<Record<string, string>> = {
  'archive/queries.ts:restoreRows': 'each row of a restored archive carries its company; once for an archive',
  'demo/service.ts:makeDemoCompany': 'the demo is made in an embedded database only, from temporary tables',
}

/** Functions that send nothing while the tests run, each with the reason. */
const silent: Readonly<Record<string, string>> = {
  'labels/queries.ts:renewJob':
    'sent after 20 seconds of streaming a file of labels; one row, by company and id',
}

const sent = z.object({ text: z.string(), equals: z.array(z.number()), by: z.array(z.string()) })

type Sent = z.output<typeof sent>

async function readSent(): Promise<Sent[]> {
  const files = await readdir(sentFolder)
  const texts = await Promise.all(files.map((file) => readFile(join(sentFolder, file), 'utf8')))
  return texts.flatMap((text) =>
    text
      .trim()
      .split('\n')
      .map((line) => sent.parse(JSON.parse(line))),
  )
}

const sends = /\.(execute|executeTakeFirst|executeTakeFirstOrThrow|stream)\(|\bcallFunction[<(]/

/** The functions of the server that send statements, as 'file:function'. */
async function listSenders(): Promise<string[]> {
  const source = join(server, 'src')
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('platform/db/'),
  )
  const senders = files.map(async (file) => {
    const code = await readFile(join(source, file), 'utf8')
    return code
      .split(/^(?=(?:export )?(?:async )?function\*? \w)/m)
      .filter((part) => sends.test(part))
      .map((part) => `${file}:${/^[\w ]*function\*? (\w+)/.exec(part)?.[1] ?? ''}`)
  })
  return (await Promise.all(senders)).flat()
}

/** What is wrong with a statement, or nothing. */
function faultsOf({ text, equals, by }: Sent, layout: Layout): string[] {
  // Without a sender it is a test's own.
  const [sender] = by
  if (sender === undefined || sender in exceptions) return []
  const sameAs = (value: string) => {
    const [, number] = /^\$(\d+)$/.exec(value) ?? []
    return number === undefined ? value : `$${(equals[Number(number) - 1] ?? 0) + 1}`
  }
  const found = (parseSync(text).stmts ?? []).flatMap(({ stmt }) =>
    stmt === undefined ? [] : [...routingFaults(stmt, layout, { sameAs }), ...formFaults(stmt)],
  )
  return found.length === 0 ? [] : [`${sender}: ${found.join('; ')}\n  ${text}`]
}

await loadModule()
const layout = layoutOf(await readFile(join(server, 'schema.sql'), 'utf8'))
const all = await readSent()
const texts = new Map(all.map((one) => [one.text, one]))
const heard = new Set(all.flatMap(({ by }) => by))
const unheard = (await listSenders()).filter((sender) => !heard.has(sender) && !(sender in silent))
const faults = [
  ...[...texts.values()].flatMap((one) => faultsOf(one, layout)),
  ...unheard.map((sender) => `${sender} sent nothing while the tests ran, so nothing of it was checked`),
]
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.stdout.write(`${texts.size} statements of ${heard.size} functions, ${faults.length} at fault\n`)
process.exitCode = faults.length > 0 ? 1 : 0
