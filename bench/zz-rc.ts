import { readFileSync, readdirSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { startWorld } from './world.ts'
import { anyOf } from './companies.ts'
const world = await startWorld({ companies: 3, components: 3000 })
const owner = new pg.Client({ connectionString: world.databaseUrl }); await owner.connect()
const c = new pg.Client({ connectionString: world.databaseUrl }); await c.connect()
const sessions = (await owner.query(`select s.tenant_id t, s.id s from sessions s`)).rows
await c.query('set role inventory_manager_app'); await c.query('set jit = off')
const pid = (await c.query('select pg_backend_pid() p')).rows[0].p
const cpu = (p: number) => Number(readFileSync(`/proc/${p}/schedstat`, 'utf8').split(' ')[0])
const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])
const all = () => readdirSync('/proc').filter((d) => /^\d+$/.test(d)).filter((d) => { try { return Number(readFileSync(`/proc/${d}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]) === parent } catch { return false } }).map((d) => { const q = readFileSync(`/proc/${d}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(); return { d, q, ns: cpu(Number(d)) } })
const one = (i: number) => { const s = sessions[i % sessions.length]; const r = anyOf(world.companies[0]!.rows); return { tenant: s.t, session: s.s, key: randomUUID(), hash: 'h'.repeat(44), plans: ['enterprise', 'professional', 'starter'], codes: [r.barcode], quantity: r.quantity, location: 'PRIMARY', source: 'monthly', count_session: 'Monthly_2026-11-21_PRIMARY_1732147200000', at: new Date(), day: null, recount: false } }
async function go(batch: number, n: number) {
  const b = all(); const a = cpu(pid)
  for (let i = 0; i < n; i++) await c.query({ name: 'rc', text: 'select outcome from record_counts($1, $2) as outcome', values: [JSON.stringify(Array.from({ length: batch }, (_, k) => one(i + k))), 'none'] })
  console.log('batch', batch, ((cpu(pid) - a) / n / batch / 1000).toFixed(0), 'us cpu/count')
  const after = new Map(all().map((x) => [x.d, x])); for (const x of b) { const y = after.get(x.d); if (y && y.ns - x.ns > n * batch * 3000) console.log('   ', y.q.slice(0, 70), ((y.ns - x.ns) / n / batch / 1000).toFixed(0)) }
}
await go(1, 500); await go(1, 1500); await go(8, 300); await go(32, 100)
if (process.env['EXTRA']) { for (const s of readFileSync(process.env['EXTRA'], 'utf8').split('-- ;;')) await owner.query(s); await go(1, 1500); await go(8, 300) }
await owner.end(); await c.end(); await world.close()
