import {
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
  type Dialect,
} from 'kysely'

/** What a transaction never uses of its Kysely: it begins no other, and its connection is given. */
const driver = new DummyDriver()
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/**
 * The transaction with its statements sent as they come, for a connection in pipeline mode: Kysely itself sends each only
 * when the one before is answered, also those of a Promise.all. They run in the order in which they are sent.
 */
export async function pipelined<DB>(transaction: Transaction<DB>): Promise<Transaction<DB>> {
  const executor = transaction.getExecutor()
  const connection = await executor.provideConnection((own) => Promise.resolve(own))
  const sending = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  return new Transaction<DB>({ config: { dialect }, dialect, driver, executor: sending })
}
