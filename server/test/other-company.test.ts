import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { lastDayOfMonth } from '@inventory-manager/contract/calendar'
import { scopes } from '@inventory-manager/contract/scopes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lookAtStock } from '../src/stock/low-stock.ts'
import { fingerprint, listCompanyTables } from './company-tables.ts'
import { makeCompany, makeStaff, startTestApp, type Ask, type Person, type TestApp } from './test-app.ts'

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

let app: TestApp
let victim: Person
/** Of the victim's own company, and no administrator. */
let colleague: Person
let strangers: { token: string; as: 'admin' | 'staff' | 'key' }[]
let tables: string[]
/** The victim's things by the names the matrix has for them. */
const named = new Map<string, string>()

const anId = z.object({ id: z.string() })

/** Another picture than the victim's. */
const ownLogo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')

/** What lists what the strangers scanned or sent themselves, a code of the victim's among it. */
const ownCodes: ReadonlySet<string> = new Set([
  'listUnknownCodes',
  'listAuditTrail',
  'keepComponents',
  'placeComponents',
  'setUnitCosts',
])

const secretWords = [
  'CANARY-7',
  'CANARY-OTHER',
  'CANARY-BIN',
  'CANARY-NOTE',
  'Canary description',
  'CANARY-UNKNOWN',
  'canary@example.com',
]

/** A transfer under way and an import that waits for a decision. */
async function makeUndecided(): Promise<void> {
  const moved = { barcode: 'CANARY-7', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 }
  const sent = await app.ask({ path: '/api/transfers', token: victim.token, body: moved })
  named.set('VICTIM_TRANSFER', z.object({ transfer: anId }).parse(sent.body).transfer.id)
  const file = { name: 'CANARY-7.csv', fields: ['barcode'] }
  const begun = await app.ask({ path: '/api/imports', token: victim.token, body: file })
  const id = z.object({ import: anId }).parse(begun.body).import.id
  named.set('VICTIM_IMPORT', id)
  const staged = { rows: [{ line: 1, cells: ['CANARY-7'] }] }
  await app.done({ path: `/api/imports/${id}/rows`, token: victim.token, body: staged })
}

beforeAll(async () => {
  app = await startTestApp()
  tables = await listCompanyTables(app.owner, writtenLater)
  victim = await makeCompany(app)
  await app.done({
    path: '/api/components/import',
    token: victim.token,
    body: [{ barcode: 'CANARY-7', description: 'Canary description', primary_quantity: 7 }],
  })
  const other = { barcode: 'CANARY-7', alias: 'CANARY-OTHER' }
  await app.done({ path: '/api/components/add-barcode', token: victim.token, body: other })
  const placed = { location: 'PRIMARY', components: [{ barcode: 'CANARY-7', bin: 'CANARY-BIN', minimum: 9 }] }
  await app.done({ path: '/api/components/place', token: victim.token, body: placed })
  await app.done({ ...probe('recordCount'), token: victim.token, key: 'canary-count' })
  const said = { key: 'canary-count', note: 'CANARY-NOTE' }
  await app.done({ path: '/api/components/note-count', token: victim.token, body: said })
  const wrong = { ...countBody, quantity: 6, timestamp: new Date(Date.now() - 1000).toISOString() }
  await app.done({ path: '/api/components/update-with-tracking', token: victim.token, body: wrong })
  const day = { day: 'Monday', location: 'PRIMARY', progress: { 'CANARY-7': 7 } }
  for (const id of ['canary-week', 'canary-only']) {
    await app.done({ path: '/api/weekly-counts', token: victim.token, body: { ...day, id } })
  }
  for (const id of ['Cycle_2026-11_PRIMARY', 'canary-only']) {
    const cycle = { id, location: 'PRIMARY', user_type: 'admin', progress: { 'CANARY-7': 7 } }
    await app.done({ path: '/api/cycle-counts', token: victim.token, body: cycle })
  }
  const configured = { barcode: 'CANARY-7', assignments: { Monday: ['PRIMARY'] } }
  await app.done({ path: '/api/components/configure-high-volume', token: victim.token, body: configured })
  named.set('VICTIM_DISCREPANCY', await idOf('discrepancies'))
  named.set('VICTIM_USER', victim.userId)
  named.set('VICTIM_SESSION', await idOf('sessions'))
  await app.done({ ...probe('assignCounter'), token: victim.token })
  named.set('VICTIM_ASSIGNMENT', await idOf('count_assignments'))
  await app.done({ ...probe('askSpotCount'), token: victim.token })
  named.set('VICTIM_SPOT_COUNT', await idOf('spot_counts'))
  await app.done({ ...probe('scheduleSpotCounts'), token: victim.token })
  named.set('VICTIM_SCHEDULE', await idOf('spot_schedules'))
  await app.done({
    path: '/api/team/invitations',
    token: victim.token,
    body: { email: 'canary@example.com' },
  })
  await app.done({ path: '/api/company/logo', token: victim.token, body: { content: onePixel } })
  named.set('VICTIM_INVITATION', await idOf('one_time_links'))
  const unknown = { ...countBody, barcode: 'CANARY-UNKNOWN' }
  await app.ask({ path: '/api/components/update-with-tracking', token: victim.token, body: unknown })
  named.set('VICTIM_UNKNOWN', await idOf('unknown_codes'))
  await makeUndecided()
  await giveAccess()
  colleague = await makeStaff(app, victim)
  const stranger = await makeCompany(app)
  for (const { token } of [victim, stranger]) await shareMonday(token)
  strangers = [
    { token: stranger.token, as: 'admin' },
    { token: (await makeStaff(app, stranger)).token, as: 'staff' },
    { token: await makeKey(stranger), as: 'key' },
  ]
  // Told once and for all, so that nothing of it changes by itself.
  await app.database.inTenant(victim.tenantId, lookAtStock)
})
afterAll(() => app.close())

/** A component that both companies have, counted on Mondays in both. */
async function shareMonday(token: string): Promise<void> {
  await app.done({ path: '/api/components/import', token, body: [{ barcode: 'SHARED-1' }] })
  const body = { barcode: 'SHARED-1', assignments: { Monday: ['PRIMARY'] } }
  await app.done({ path: '/api/components/configure-high-volume', token, body })
}

/** An API key that may do whatever a key may. */
async function makeKey({ token }: Person): Promise<string> {
  const { body } = await app.done({ path: '/api/api-keys', token, body: { name: 'All', scopes } })
  return z.object({ key: z.string() }).parse(body).key
}

/** Gives the victim an API key and a webhook with a delivery; nothing is sent to a host that cannot exist. */
async function giveAccess(): Promise<void> {
  const key = { name: 'Canary', scopes: ['read'] }
  const hook = { url: 'https://canary.invalid/', events: ['discrepancy.decided'] }
  const ask = async (path: string, body: unknown) =>
    anId.parse((await app.ask({ path, token: victim.token, body })).body).id
  named.set('VICTIM_KEY', await ask('/api/api-keys', key))
  const webhook = await ask('/api/webhooks', hook)
  named.set('VICTIM_WEBHOOK', webhook)
  // Off, because its place in the trail would go on by itself.
  await app.owner.query('update webhooks set disabled_at = now() where tenant_id = $1', [victim.tenantId])
  await app.owner.query(
    `insert into webhook_deliveries (tenant_id, webhook_id, event, body, status)
     values ($1, $2, 'test', '{"canary":"Canary description"}', 'failed')`,
    [victim.tenantId, webhook],
  )
  named.set('VICTIM_DELIVERY', await idOf('webhook_deliveries'))
}

/** The id of a row of the victim, without which nothing would be proved. */
async function idOf(table: string): Promise<string> {
  const { rows } = await app.owner.query<{ id: string }>(`select id from ${table} where tenant_id = $1`, [
    victim.tenantId,
  ])
  const [row] = rows
  if (row === undefined) throw new Error(`The victim has nothing in ${table}.`)
  return row.id
}

type Name = keyof typeof allEndpoints

const today = new Date().toISOString().slice(0, 10)

const countBody = {
  barcode: 'CANARY-7',
  quantity: 7,
  location: 'PRIMARY',
  source: 'monthly',
  session: 's',
  timestamp: new Date().toISOString(),
}

/** A request to each call that names the victim's things; what a stranger gets for it. */
const matrix: Record<
  Name,
  | {
      ask: Omit<Ask, 'token' | 'path' | 'method'> & { query?: string; id?: string }
      gets: number
    }
  | 'public'
> = {
  registerTenant: 'public',
  login: 'public',
  health: 'public',
  live: 'public',
  ready: 'public',
  logout: { ask: { body: {} }, gets: 200 },
  changePassword: { ask: { body: { passcode: 'not it', newPasscode: 'another' } }, gets: 403 },
  tenantContext: { ask: {}, gets: 200 },
  readLink: 'public',
  acceptInvitation: 'public',
  forgotPassword: 'public',
  resetPassword: 'public',
  confirmEmail: 'public',
  getTeam: { ask: {}, gets: 200 },
  invite: { ask: { body: { email: 'invited@example.com' } }, gets: 201 },
  revokeInvitation: { ask: { id: 'VICTIM_INVITATION' }, gets: 404 },
  changeRole: { ask: { id: 'VICTIM_USER', body: { role: 'user' } }, gets: 404 },
  deactivateUser: { ask: { id: 'VICTIM_USER' }, gets: 404 },
  reactivateUser: { ask: { id: 'VICTIM_USER' }, gets: 404 },
  signOutEverywhere: { ask: { id: 'VICTIM_USER' }, gets: 404 },
  makePasswordLink: { ask: { id: 'VICTIM_USER', body: {} }, gets: 404 },
  listOwnSessions: { ask: {}, gets: 200 },
  changeName: { ask: { body: { name: 'Stranger' } }, gets: 200 },
  endOwnSession: { ask: { id: 'VICTIM_SESSION' }, gets: 404 },
  endOtherSessions: { ask: {}, gets: 200 },
  sendConfirmation: { ask: {}, gets: 409 },
  getPlanState: { ask: {}, gets: 200 },
  changePlan: { ask: { body: { plan: 'professional' } }, gets: 200 },
  openBillingPortal: { ask: {}, gets: 409 },
  getCompany: { ask: {}, gets: 200 },
  getSettings: { ask: {}, gets: 200 },
  changeSettings: { ask: { body: { name: 'Strangers' } }, gets: 200 },
  setLogo: { ask: { body: { content: ownLogo.toString('base64') } }, gets: 200 },
  setLabelLogo: { ask: { body: { rows: ['1'] } }, gets: 404 },
  getLabelLogo: { ask: {}, gets: 200 },
  getLogo: { ask: {}, gets: 404 },
  deleteLogo: { ask: {}, gets: 404 },
  whoAmI: { ask: {}, gets: 200 },
  dashboard: { ask: {}, gets: 200 },
  listComponents: { ask: {}, gets: 200 },
  importComponents: { ask: { body: [{ barcode: 'X-1', primary_quantity: 1 }] }, gets: 200 },
  adjustQuantity: {
    ask: { body: { barcode: 'CANARY-7', amount: 1, reason: 'received', location: 'PRIMARY' } },
    gets: 404,
  },
  updateQuantity: { ask: { body: { barcode: 'CANARY-7', quantity: 0, location: 'PRIMARY' } }, gets: 404 },
  findByBarcode: { ask: { body: { barcode: 'CANARY-7' } }, gets: 404 },
  listToCount: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  listWithCountStatus: { ask: { body: { location: 'PRIMARY' } }, gets: 200 },
  recordCount: {
    ask: { body: countBody },
    gets: 404,
  },
  undoCount: { ask: { body: { key: 'canary-count' } }, gets: 404 },
  noteCount: { ask: { body: { key: 'canary-count', note: 'No' } }, gets: 404 },
  resetCounts: { ask: { body: { location: 'PRIMARY' } }, gets: 200 },
  componentHistory: { ask: { body: { barcode: 'CANARY-7', location: 'PRIMARY' } }, gets: 404 },
  listHistory: { ask: { query: '?sku=CANARY-7' }, gets: 200 },
  configureHighVolume: { ask: { body: { barcode: 'CANARY-7', assignments: {} } }, gets: 404 },
  bulkHighVolume: {
    ask: { body: { barcodes: ['SHARED-1'], day: 'Monday', location: 'PRIMARY', action: 'remove' } },
    gets: 200,
  },
  migrateHighVolume: { ask: {}, gets: 200 },
  highVolumeForDay: { ask: { body: { day: 'Monday', location: 'PRIMARY' } }, gets: 200 },
  resetWeeklyDay: { ask: { body: { day: 'Monday', location: 'PRIMARY' } }, gets: 200 },
  addHistory: { ask: { body: { sku: 'CANARY-7', quantity: 1, location: 'PRIMARY' } }, gets: 404 },
  listWeeklyCounts: { ask: { query: '?location=PRIMARY&day=Monday' }, gets: 200 },
  saveWeeklyCount: {
    ask: { body: { id: 'canary-week', day: 'Monday', location: 'PRIMARY', progress: { A: 1 } } },
    gets: 200,
  },
  deleteWeeklyCount: { ask: { id: 'canary-only' }, gets: 404 },
  listCycleCounts: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  saveCycleCount: {
    ask: { body: { id: 'Cycle_2026-11_PRIMARY', location: 'PRIMARY', progress: { A: 1 }, completed: true } },
    gets: 200,
  },
  deleteCycleCount: { ask: { id: 'canary-only' }, gets: 404 },
  listDiscrepancies: { ask: {}, gets: 200 },
  decideDiscrepancies: {
    ask: { body: { ids: ['VICTIM_DISCREPANCY'], decision: 'accept', reason: 'stolen' } },
    gets: 404,
  },
  reopenDiscrepancy: { ask: { body: { id: 'VICTIM_DISCREPANCY' } }, gets: 404 },
  listRecounts: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  listUnknownCodes: { ask: {}, gets: 200 },
  decideUnknownCodes: { ask: { body: { ids: ['VICTIM_UNKNOWN'], decision: 'ignore' } }, gets: 404 },
  createFromUnknownCode: { ask: { body: { id: 'VICTIM_UNKNOWN', description: 'stolen' } }, gets: 404 },
  countRoom: { ask: {}, gets: 200 },
  listAssignments: { ask: {}, gets: 200 },
  listAisles: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  getMyBins: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  assignCounter: {
    ask: { body: { location: 'PRIMARY', user_id: 'VICTIM_USER', due_on: lastDayOfMonth(today) } },
    gets: 404,
  },
  unassignCounter: { ask: { id: 'VICTIM_ASSIGNMENT' }, gets: 404 },
  listSpotCounts: { ask: {}, gets: 200 },
  listSpotSkus: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  suggestSpotCount: { ask: { query: '?location=PRIMARY&minutes=45&people=2' }, gets: 200 },
  askSpotCount: {
    ask: { body: { location: 'PRIMARY', barcodes: ['CANARY-7'], due_on: lastDayOfMonth(today) } },
    gets: 404,
  },
  takeBackSpotCount: { ask: { id: 'VICTIM_SPOT_COUNT' }, gets: 404 },
  listSpotSchedules: { ask: {}, gets: 200 },
  scheduleSpotCounts: {
    ask: { body: { location: 'PRIMARY', user_id: 'VICTIM_USER', days: ['Monday'], minutes: 45, people: 2 } },
    gets: 404,
  },
  endSpotSchedule: { ask: { id: 'VICTIM_SCHEDULE' }, gets: 404 },
  getAccuracy: { ask: { query: '?months=24' }, gets: 200 },
  listCountSessions: { ask: { query: `?month=${countBody.timestamp.slice(0, 7)}` }, gets: 200 },
  countSheet: { ask: { query: '?location=PRIMARY&components=all' }, gets: 200 },
  countCertificate: { ask: { query: `?month=${countBody.timestamp.slice(0, 7)}` }, gets: 404 },
  progressOverTime: { ask: {}, gets: 200 },
  topScannedSkus: { ask: {}, gets: 200 },
  skuByLocation: { ask: {}, gets: 200 },
  weeklyTrends: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  generateLabels: { ask: { body: { components: [{ barcode: 'X-1' }] } }, gets: 200 },
  calibrationPage: { ask: { body: {} }, gets: 200 },
  commandSheet: { ask: { body: {} }, gets: 200 },
  binLabels: { ask: { body: { location: 'PRIMARY' } }, gets: 404 },
  labelSymbol: { ask: { query: '?symbology=qr&barcode=CANARY' }, gets: 200 },
  listLabelled: { ask: {}, gets: 200 },
  streamEvents: 'public',
  logAudit: { ask: { body: { sku: 'X-1' } }, gets: 201 },
  verifyAuditTrail: { ask: { body: {} }, gets: 200 },
  listApiKeys: { ask: {}, gets: 200 },
  createApiKey: { ask: { body: { name: 'Ours', scopes: ['read'] } }, gets: 201 },
  revokeApiKey: { ask: { id: 'VICTIM_KEY' }, gets: 404 },
  listWebhooks: { ask: {}, gets: 200 },
  createWebhook: { ask: { body: { url: 'https://ours.invalid/', events: ['count.recorded'] } }, gets: 201 },
  enableWebhook: { ask: { id: 'VICTIM_WEBHOOK', body: {} }, gets: 404 },
  testWebhook: { ask: { id: 'VICTIM_WEBHOOK', body: {} }, gets: 404 },
  deleteWebhook: { ask: { id: 'VICTIM_WEBHOOK' }, gets: 404 },
  listDeliveries: { ask: { id: 'VICTIM_WEBHOOK' }, gets: 404 },
  replayDelivery: { ask: { id: 'VICTIM_DELIVERY', body: {} }, gets: 404 },
  listAuditTrail: { ask: { query: '?sku=CANARY-7' }, gets: 200 },
  searchComponents: { ask: { query: '?text=CANARY' }, gets: 200 },
  componentDetail: { ask: { query: '?barcode=CANARY-7' }, gets: 404 },
  componentMovements: { ask: { query: '?barcode=CANARY-7' }, gets: 404 },
  listMovements: { ask: {}, gets: 200 },
  componentCounts: { ask: { query: '?barcode=CANARY-7' }, gets: 404 },
  componentLabels: { ask: { query: '?barcode=CANARY-7' }, gets: 404 },
  componentLedger: { ask: { query: '?barcode=CANARY-7' }, gets: 404 },
  describeComponent: { ask: { body: { barcode: 'CANARY-7', description: 'Stolen' } }, gets: 404 },
  retireComponent: { ask: { body: { barcode: 'CANARY-7' } }, gets: 404 },
  reinstateComponent: { ask: { body: { barcode: 'CANARY-7' } }, gets: 404 },
  countLowStock: { ask: {}, gets: 200 },
  countKept: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  keepComponents: { ask: { body: { location: 'PRIMARY', kept: false, barcodes: ['CANARY-7'] } }, gets: 200 },
  getStockValue: { ask: {}, gets: 200 },
  suggestHighVolume: { ask: { query: '?location=PRIMARY' }, gets: 200 },
  setUnitCosts: { ask: { body: { components: [{ barcode: 'CANARY-7', unit_cost: 1 }] } }, gets: 200 },
  placeComponents: {
    ask: { body: { location: 'PRIMARY', components: [{ barcode: 'CANARY-7', bin: 'STOLEN', minimum: 1 }] } },
    gets: 200,
  },
  addBarcode: { ask: { body: { barcode: 'CANARY-7', alias: 'STOLEN' } }, gets: 404 },
  removeBarcode: { ask: { body: { barcode: 'CANARY-7', alias: 'CANARY-OTHER' } }, gets: 404 },
  findPacks: { ask: { body: { barcodes: ['CANARY-OTHER'] } }, gets: 200 },
  sendTransfer: {
    ask: { body: { barcode: 'CANARY-7', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 } },
    gets: 404,
  },
  receiveTransfer: { ask: { id: 'VICTIM_TRANSFER', body: { location: 'SECONDARY' } }, gets: 404 },
  receiveTransfers: {
    ask: { body: { location: 'SECONDARY', ids: ['VICTIM_TRANSFER'] } },
    gets: 404,
  },
  cancelTransfer: { ask: { id: 'VICTIM_TRANSFER' }, gets: 404 },
  writeOffTransfer: { ask: { id: 'VICTIM_TRANSFER', body: {} }, gets: 404 },
  listTransfers: { ask: {}, gets: 200 },
  createImport: { ask: { body: { name: 'ours.csv', fields: ['barcode'] } }, gets: 200 },
  stageRows: { ask: { id: 'VICTIM_IMPORT', body: { rows: [{ line: 2, cells: ['X'] }] } }, gets: 404 },
  previewImport: { ask: { id: 'VICTIM_IMPORT' }, gets: 404 },
  listImportRows: { ask: { id: 'VICTIM_IMPORT' }, gets: 404 },
  commitImport: { ask: { id: 'VICTIM_IMPORT', body: {} }, gets: 404 },
  cancelImport: { ask: { id: 'VICTIM_IMPORT' }, gets: 404 },
  undoImport: { ask: { id: 'VICTIM_IMPORT' }, gets: 404 },
  listImports: { ask: {}, gets: 200 },
  exportComponents: { ask: { query: '?text=CANARY' }, gets: 200 },
  exportStockAt: { ask: {}, gets: 200 },
  exportCounts: { ask: { query: '?sku=CANARY' }, gets: 200 },
  exportMovements: { ask: { query: '?sku=CANARY' }, gets: 200 },
  exportDiscrepancies: { ask: { query: '?sku=CANARY' }, gets: 200 },
  exportAudit: { ask: { query: '?sku=CANARY' }, gets: 200 },
  exportArchive: { ask: {}, gets: 200 },
}

/** Text of the matrix with the victim's ids in place of their names. */
function withIds(text: string): string {
  return [...named].reduce((result, [name, id]) => result.replace(name, id), text)
}

function probe(name: Name): Ask {
  const row = matrix[name]
  const { method, path } = allEndpoints[name]
  if (row === 'public') return { method, path }
  const { query = '', id = '', body } = row.ask
  const request = { method, path: withIds(`${path.replace('{id}', id)}${query}`) }
  return body === undefined ? request : { ...request, body: JSON.parse(withIds(JSON.stringify(body))) }
}

/** Calls for administrators alone. Named here too, so that a declaration that opens one to all is noticed. */
const forAdministrators: ReadonlySet<Name> = new Set([
  'getTeam',
  'invite',
  'revokeInvitation',
  'changeRole',
  'deactivateUser',
  'reactivateUser',
  'signOutEverywhere',
  'makePasswordLink',
  'getPlanState',
  'changePlan',
  'openBillingPortal',
  'changeSettings',
  'setLogo',
  'setLabelLogo',
  'deleteLogo',
  'adjustQuantity',
  'configureHighVolume',
  'bulkHighVolume',
  'migrateHighVolume',
  'describeComponent',
  'retireComponent',
  'reinstateComponent',
  'keepComponents',
  'countKept',
  'placeComponents',
  'setUnitCosts',
  'addBarcode',
  'removeBarcode',
  'sendTransfer',
  'cancelTransfer',
  'writeOffTransfer',
  'createImport',
  'stageRows',
  'previewImport',
  'listImportRows',
  'commitImport',
  'cancelImport',
  'undoImport',
  'listImports',
  'exportStockAt',
  'exportCounts',
  'exportMovements',
  'exportDiscrepancies',
  'exportAudit',
  'exportArchive',
  'listDiscrepancies',
  'decideDiscrepancies',
  'reopenDiscrepancy',
  'listUnknownCodes',
  'decideUnknownCodes',
  'createFromUnknownCode',
  'countRoom',
  'listAisles',
  'assignCounter',
  'unassignCounter',
  'askSpotCount',
  'takeBackSpotCount',
  'suggestSpotCount',
  'listSpotSchedules',
  'scheduleSpotCounts',
  'endSpotSchedule',
  'getAccuracy',
  'getStockValue',
  'suggestHighVolume',
  'listCountSessions',
  'countCertificate',
  'verifyAuditTrail',
  'listApiKeys',
  'createApiKey',
  'revokeApiKey',
  'listWebhooks',
  'createWebhook',
  'enableWebhook',
  'testWebhook',
  'deleteWebhook',
  'listDeliveries',
  'replayDelivery',
])

/** Calls for people alone, which no API key makes. */
const forPeople: ReadonlySet<Name> = new Set([
  'logout',
  'changePassword',
  'getTeam',
  'invite',
  'revokeInvitation',
  'changeRole',
  'deactivateUser',
  'reactivateUser',
  'signOutEverywhere',
  'makePasswordLink',
  'listOwnSessions',
  'changeName',
  'endOwnSession',
  'endOtherSessions',
  'sendConfirmation',
  'getPlanState',
  'changePlan',
  'openBillingPortal',
  'getSettings',
  'changeSettings',
  'setLogo',
  'setLabelLogo',
  'getLogo',
  'deleteLogo',
  'whoAmI',
  'exportArchive',
  'listApiKeys',
  'createApiKey',
  'revokeApiKey',
  'listWebhooks',
  'createWebhook',
  'enableWebhook',
  'testWebhook',
  'deleteWebhook',
  'listDeliveries',
  'replayDelivery',
  'logAudit',
])

/** What somebody of another company gets. */
function statusFor(name: Name, as: 'admin' | 'staff' | 'key'): number {
  const row = matrix[name]
  if (as === 'staff' && forAdministrators.has(name)) return 403
  if (as === 'key' && forPeople.has(name)) return 403
  return row === 'public' ? 0 : row.gets
}

/** The program seals by itself what the victim did before. */
const writtenLater = ['audit_seals']

/** A fingerprint of everything a company has. */
async function digest({ tenantId }: Person): Promise<unknown> {
  return await fingerprint(app.owner, { tenantId, tables })
}

/** What is taken back after each request, as a company may have only so many of it. */
const limited: Partial<Record<Name, string>> = {
  createImport: 'delete from imports where tenant_id <> $1',
  // One of a company is called so at a time.
  changeName: `update users set name = 'Somebody' where tenant_id <> $1`,
}

const guarded = Object.keys(allEndpoints).filter((name): name is Name => name in matrix)
const others = guarded.filter((name) => matrix[name] !== 'public' && name !== 'logout' && name !== 'setLogo')
/** At the end what gives the strangers something of their own where the victim's is looked for. */
const names = [...others, 'setLogo' as const]

/** Ways to ask for another company that must all be without effect. */
const disguises: ((ask: Ask) => Ask)[] = [
  (ask) => ask,
  (ask) => ({ ...ask, headers: { 'x-tenant-id': victim.tenantId, 'x-user-id': victim.userId } }),
  (ask) => ({ ...ask, path: `${ask.path}${ask.path.includes('?') ? '&' : '?'}tenant_id=${victim.tenantId}` }),
  (ask) =>
    typeof ask.body === 'object' && ask.body !== null && !Array.isArray(ask.body)
      ? {
          ...ask,
          body: {
            ...ask.body,
            tenant_id: victim.tenantId,
            tenantId: victim.tenantId,
            user_id: victim.userId,
          },
        }
      : ask,
]

describe('another company', () => {
  it.each(names)('learns and changes nothing through %s', async (name) => {
    const before = await digest(victim)
    for (const { token, as } of strangers) {
      for (const disguise of disguises) {
        const reply = await app.ask({ ...disguise(probe(name)), token })
        expect([name, as, reply.status]).toEqual([name, as, statusFor(name, as)])
        const words = ownCodes.has(name) ? secretWords.slice(1) : secretWords
        expect(words.filter((word) => reply.bytes.includes(word))).toEqual([])
        const tidy = limited[name]
        if (tidy !== undefined) await app.owner.query(tidy, [victim.tenantId])
      }
    }
    expect(await digest(victim)).toEqual(before)
  })

  it('may have a component of the same barcode, as its own', async () => {
    const [stranger] = strangers
    const before = await digest(victim)
    const rows = [{ barcode: 'CANARY-7', description: 'Ours', primary_quantity: 1 }]
    const imported = await app.ask({
      path: '/api/components/import',
      token: stranger?.token ?? '',
      body: rows,
    })
    expect(imported.body).toMatchObject({ created: 1 })
    const found = await app.ask({
      path: '/api/components/by-barcode',
      token: stranger?.token ?? '',
      body: { barcode: 'CANARY-7' },
    })
    expect(found.body).toMatchObject({ component: { description: 'Ours', primary_quantity: 1 } })
    expect(await digest(victim)).toEqual(before)
  })

  it('is not found by another barcode of a component of somebody else, and may have it itself', async () => {
    const [stranger] = strangers
    const before = await digest(victim)
    const ask = (path: string, body: unknown) =>
      app.ask({ path: `/api/components/${path}`, token: stranger?.token ?? '', body })
    expect((await ask('by-barcode', { barcode: 'CANARY-OTHER' })).status).toBe(404)
    await ask('import', [{ barcode: 'OURS-1' }])
    expect(await ask('add-barcode', { barcode: 'OURS-1', alias: 'CANARY-OTHER' })).toMatchObject({
      status: 201,
      body: { aliases: ['CANARY-OTHER'] },
    })
    const found = await ask('by-barcode', { barcode: 'CANARY-OTHER' })
    expect(found.body).toMatchObject({ component: { barcode: 'OURS-1' } })
    expect(await digest(victim)).toEqual(before)
  })

  it('cannot be reached without a session', async () => {
    for (const name of names) {
      const { status } = await app.ask(probe(name))
      expect([name, status]).toEqual([name, 401])
    }
  })

  it('cannot be reached with a session that has ended', async () => {
    const left = await makeStaff(app, victim, 'Lee Left')
    await app.done({ ...probe('logout'), token: left.token })
    for (const name of [...names, 'streamEvents' as const]) {
      const { status } = await app.ask({ ...probe(name), token: left.token })
      expect([name, status]).toEqual([name, 401])
    }
  })
})

describe('staff of the same company', () => {
  /** That they tried is on record, and so is when they were last there. */
  const lasting = {
    audit_entries: `case when event <> 'access_refused' then held::text end`,
    sessions: `(to_jsonb(held) - 'last_used_at')::text`,
  }

  it('are refused what is for administrators alone, and change nothing by asking', async () => {
    const had = () => fingerprint(app.owner, { tenantId: victim.tenantId, tables, lasting })
    const before = await had()
    for (const name of forAdministrators) {
      const { status, body } = await app.ask({ ...probe(name), token: colleague.token })
      expect([name, status, body]).toMatchObject([name, 403, { error: 'Only an administrator can do this.' }])
    }
    expect(await had()).toEqual(before)
  })
})

describe('50 requests at once of two companies over two connections', () => {
  it('never see each other', async () => {
    const small = await startTestApp({ DATABASE_POOL_SIZE: '2' })
    const people = [await makeCompany(small), await makeCompany(small)]
    for (const { token, tenantId } of people) {
      await small.ask({ path: '/api/components/import', token, body: [{ barcode: `OF-${tenantId}` }] })
    }
    for (let round = 0; round < 20; round += 1) {
      const replies = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const person = people[index % 2]
          const list = await small.ask({ method: 'GET', path: '/api/components', token: person?.token ?? '' })
          return [person?.tenantId, list.body] as const
        }),
      )
      for (const [tenantId, body] of replies) {
        expect(body).toMatchObject({ total: 1, components: [{ barcode: `OF-${tenantId}` }] })
      }
    }
    await small.close()
  })
})
