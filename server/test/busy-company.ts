import { sharesOf, type Database } from '../src/platform/db/database.ts'

const poolSize = 10

/** Does work while a company's own calls hold all connections that one company may have of a pool of the usual size. */
export async function whileBusy<T>(database: Database, tenantId: string, work: () => Promise<T>): Promise<T> {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const calls = Array.from({ length: sharesOf(poolSize).ofOne }, () =>
    database.inTenant(tenantId, () => ended),
  )
  try {
    return await work()
  } finally {
    end()
    await Promise.all(calls)
  }
}
