import { sql } from 'kysely'
import type { OutsideDb } from '../platform/db/database.ts'

/** Above every window in which attempts are counted. */
const daysAttemptsAreKnown = 31

/** Counts one attempt in a window of seconds; says how many there are now, and in how many seconds they are forgotten. */
export async function countAttempt(
  db: OutsideDb,
  key: string,
  windowSeconds: number,
): Promise<{ taken: number; secondsLeft: number }> {
  const expired = sql<boolean>`attempts.window_start < now() - make_interval(secs => ${windowSeconds})`
  const row = await db
    .insertInto('attempts')
    .values({ key, window_start: sql<Date>`now()`, taken: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        taken: sql<number>`case when ${expired} then 1 else attempts.taken + 1 end`,
        window_start: sql<Date>`case when ${expired} then now() else attempts.window_start end`,
      }),
    )
    .returning([
      'taken',
      sql<number>`greatest(1, ceil(extract(epoch from window_start - now()) + ${windowSeconds}))::integer`.as(
        'seconds_left',
      ),
    ])
    .executeTakeFirstOrThrow()
  return { taken: row.taken, secondsLeft: row.seconds_left }
}

/** Takes one attempt back that turned out to be no guess. */
export async function uncountAttempt(db: OutsideDb, key: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ taken: sql<number>`greatest(0, taken - 1)` })
    .where('key', '=', key)
    .execute()
}

/** Keeps a key as of now, without counting. */
export async function keepAttempt(db: OutsideDb, key: string): Promise<void> {
  await db
    .insertInto('attempts')
    .values({ key, window_start: sql<Date>`now()`, taken: 0 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ window_start: sql<Date>`now()` }))
    .execute()
}

/** Whether a key was kept within so many seconds, and since another was. */
export async function isKeptSince(
  db: OutsideDb,
  { key, other }: { key: string; other: string },
  seconds: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('attempts')
    .select('key')
    .where('key', '=', key)
    .where('window_start', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('attempts as later')
            .select('later.key')
            .where('later.key', '=', other)
            .whereRef('later.window_start', '>', 'attempts.window_start'),
        ),
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}

export async function forgetAttempts(db: OutsideDb, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

/** Forgets attempts that no limit looks at any more; says whether there may be more. */
export async function forgetOldAttempts(db: OutsideDb, atOnce: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('attempts')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('attempts')
        .select('key')
        .where(
          'window_start',
          '<',
          sql<Date>`now() - make_interval(days => ${daysAttemptsAreKnown}::integer)`,
        )
        .limit(atOnce),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) === atOnce
}
