import { describe, expect, it } from 'vitest'
import { pgbouncer, startPgbouncer } from './pgbouncer.ts'
import { makeCompany, makeStaff, startTestApp } from './test-app.ts'

describe.skipIf(pgbouncer === undefined)(
  'behind PgBouncer in transaction mode, over two server connections',
  () => {
    it('two companies count at once, see only their own, and nothing is lost or doubled', async () => {
      const app = await startTestApp(
        { DATABASE_PREPARED: 'off', DATABASE_POOL_SIZE: '20' },
        { startPooler: startPgbouncer },
      )
      const admins = [await makeCompany(app), await makeCompany(app)]
      const people = [
        ...admins,
        await makeStaff(app, admins[0] ?? fail()),
        await makeStaff(app, admins[1] ?? fail()),
      ]
      for (const { token, tenantId } of admins) {
        const body = Array.from({ length: 50 }, (_, index) => ({
          barcode: `${tenantId.slice(0, 8)}-${index}`,
          primary_quantity: index,
        }))
        await app.done({ path: '/api/components/import', token, body })
      }

      const scans = people.flatMap(({ token, tenantId }, person) =>
        Array.from({ length: 50 }, (_, index) => ({
          path: '/api/components/update-with-tracking',
          token,
          key: `${person}-${index}`,
          body: {
            barcode: `${tenantId.slice(0, 8)}-${index}`,
            quantity: index,
            location: 'PRIMARY',
            session: 's',
            timestamp: new Date().toISOString(),
          },
        })),
      )
      const replies = await Promise.all([...scans, ...scans].map((scan) => app.ask(scan)))
      expect(replies.filter(({ status }) => status !== 200)).toEqual([])

      for (const { token, tenantId } of admins) {
        const list = await app.ask({
          path: '/api/components/with-count-status',
          token,
          body: { location: 'PRIMARY' },
        })
        expect(list.body).toMatchObject({ counted: 50, total: 50 })
        expect(JSON.stringify(list.body).match(new RegExp(tenantId.slice(0, 8), 'g'))).toHaveLength(50)
        const { rows } = await app.owner.query(
          'select count(*)::integer as n from count_history where tenant_id = $1',
          [tenantId],
        )
        expect(rows).toEqual([{ n: 100 }])
      }
      await app.close()
    })
  },
)

function fail(): never {
  throw new Error('Two companies were made.')
}
