import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely'
import { expect, it } from 'vitest'
import { pipelined } from './pipelined.ts'

type Asked = { text: string; answer: (result: QueryResult<never>) => void }

/** A database that answers what works on companies only when it is told to. */
function slowDatabase() {
  const asked: Asked[] = []
  const done = { rows: [] }
  const connection: DatabaseConnection = {
    executeQuery: ({ sql: text }) => new Promise((answer) => asked.push({ text, answer })),
    streamQuery: () => {
      throw new Error('Nothing is streamed here.')
    },
  }
  const driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: () => Promise.resolve(),
    commitTransaction: () => Promise.resolve(),
    rollbackTransaction: () => Promise.resolve(),
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  const db = new Kysely<Record<never, never>>({ dialect })
  return { db, asked, answerAll: () => asked.forEach(({ answer }) => answer(done)) }
}

it('sends what does not wait for each other without waiting', async () => {
  const { db, asked, answerAll } = slowDatabase()
  const working = db.transaction().execute(async (trx) => {
    const sending = await pipelined(trx)
    await Promise.all([sql`select 1`.execute(sending), sql`select 2`.execute(sending)])
  })

  await expect.poll(() => asked.map(({ text }) => text)).toEqual(['select 1', 'select 2'])
  answerAll()
  await working
})

it('sends nothing once the transaction is over', async () => {
  const { db, asked } = slowDatabase()
  const kept = await db.transaction().execute((trx) => pipelined(trx).then((sending) => ({ sending })))

  await expect(sql`select 1`.execute(kept.sending)).rejects.toThrow('already committed')
  expect(asked).toEqual([])
})
