import { randomUUID } from 'node:crypto'
import { request as httpRequest, Agent, type OutgoingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { parse as parseQuery, stringify as stringifyQuery } from 'node:querystring'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { lastDayOfMonth } from '@inventory-manager/contract/calendar'
import { errorReply, type Endpoint, type EndpointCall } from '@inventory-manager/contract/endpoint'
import { errorTable } from '@inventory-manager/contract/errors'
import type { PlanKey } from '@inventory-manager/contract/plans'
import { z } from 'zod'
import { describeApi } from '../../src/platform/http/openapi.ts'
import { makeLink } from '../../src/accounts/links.ts'
import { makeCompany, makeStaff, testPassword, type Person, type TestApp } from '../test-app.ts'
import {
  canary,
  contentTypes,
  hostileHeaders,
  hostileJson,
  hostileKeys,
  hostilePathPieces,
  hostileTexts,
  idempotencyKeys,
} from './hostile-values.ts'

export type EndpointName = keyof typeof allEndpoints
export type Role = 'admin' | 'staff'

/** A company for some thousand requests, and what in it the valid requests name. */
export type World = {
  tokens: Record<Role, string>
  /** A colleague only for logout and change-password, which end sessions. */
  leaver: { token: string; email: string; passwordHash: string }
  /** A colleague for what administrators do to others. */
  member: string
  secrets: Record<'invitation' | 'password' | 'email', string>
  /** Another invitation, to be taken back. */
  invitation: string
  /** A colleague who is asked to count, and until when. */
  assigned: { id: string; user: string; due: string }
  spotCount: string
  spotSchedule: string
  /** Another session of the administrator. */
  session: string
  email: string
  /** Differences to be decided, and others to be reopened. */
  discrepancies: readonly string[]
  dismissed: readonly string[]
  transfers: { received: string; cancelled: string; writtenOff: string }
  imports: { staged: string; committed: string }
  /** An API key to be revoked, a webhook with a delivery, and another to be removed. */
  access: Record<'key' | 'webhook' | 'delivery' | 'removed', string>
  unknownCodes: readonly string[]
}

/** How many entries each person of the company may take back: 'undo-0' and so on. */
const undoable = 10

/** How many other barcodes may be taken from a component: 'ALIAS-0' and so on. */
const removable = 10

/** The day where the companies are, which need not be that of UTC. */
const dayInBerlin = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
const monthInBerlin = () => dayInBerlin().slice(0, 7)

const placeOf = (unique: string) => Math.abs(Number.parseInt(unique, 36) || 0)

/** A PNG of one pixel. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

type ValidRequests = { [N in EndpointName]: EndpointCall<(typeof allEndpoints)[N]> }

/** A request to each call that is answered with its success; `unique` tells those apart that work once. */
function validRequests(world: World, unique: string): ValidRequests {
  const day = { day: 'Monday', location: 'PRIMARY' } as const
  const count = { barcode: 'FUZZ-1', quantity: 7, location: 'PRIMARY' } as const
  const span = { from: '2026-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00+01:00' }
  const anyOf = (ids: readonly string[]) => ids[placeOf(unique) % ids.length] ?? ''
  const [ignorable, creatable] = [world.unknownCodes.slice(0, 10), world.unknownCodes.slice(10)]
  return {
    registerTenant: {
      body: {
        companyName: 'Fuzz',
        contactEmail: `fuzz-${unique}@example.com`,
        contactName: 'Fay Fuzz',
        adminPasscode: testPassword,
        plan: 'starter',
        timeZone: 'Europe/Berlin',
      },
    },
    login: { body: { email: world.email, passcode: testPassword } },
    logout: {},
    changePassword: { body: { passcode: testPassword, newPasscode: testPassword } },
    tenantContext: {},
    readLink: { body: { secret: world.secrets.invitation } },
    acceptInvitation: { body: { secret: world.secrets.invitation, name: 'Ina', passcode: testPassword } },
    forgotPassword: { body: { email: world.email } },
    resetPassword: { body: { secret: world.secrets.password, passcode: testPassword } },
    confirmEmail: { body: { secret: world.secrets.email } },
    getTeam: {},
    invite: { body: { email: `asked-${unique}@example.com`, role: 'user', mail: true } },
    revokeInvitation: { params: { id: world.invitation } },
    changeRole: { params: { id: world.member }, body: { role: 'admin' } },
    deactivateUser: { params: { id: world.member } },
    reactivateUser: { params: { id: world.member } },
    signOutEverywhere: { params: { id: world.member } },
    makePasswordLink: { params: { id: world.member }, body: { mail: false } },
    listOwnSessions: {},
    changeName: { body: { name: 'Fay Fuzz' } },
    endOwnSession: { params: { id: world.session } },
    endOtherSessions: {},
    sendConfirmation: {},
    getPlanState: {},
    changePlan: { body: { plan: 'professional', accept_read_only: true } },
    openBillingPortal: {},
    getCompany: {},
    getSettings: {},
    changeSettings: {
      body: {
        name: 'Fuzz',
        time_zone: 'Europe/Paris',
        scanner_prefix: ']C1',
        scanner_suffix: '',
        count_tolerance_units: 2,
        count_tolerance_percent: 1.5,
        strict_blind_counts: true,
        first_count_sets_stock: true,
        low_stock_mail: false,
        accent_colour: '#7c3aed',
      },
    },
    setLogo: { body: { content: onePixel } },
    setLabelLogo: { body: { rows: ['010', '111'] } },
    getLabelLogo: {},
    getLogo: {},
    deleteLogo: {},
    whoAmI: {},
    dashboard: {},
    health: {},
    live: {},
    ready: {},
    listComponents: { query: { limit: '5', cursor: 'A' } },
    importComponents: {
      query: { existing: 'set' },
      body: [
        {
          id: 'a',
          barcode: 'FUZZ-1',
          description: 'First',
          primary_quantity: 7,
          secondary_quantity: 0,
          fulfillment_quantity: 0,
          distribution_quantity: 0,
          quarantine_quantity: 1,
          total_quantity: 8,
          high_volume_config: { Monday: ['PRIMARY'] },
          is_high_volume: true,
        },
        { barcode: 'FUZZ-2', primary_quantity: 5 },
      ],
    },
    adjustQuantity: {
      body: { barcode: 'FUZZ-1', location: 'PRIMARY', amount: 2, reason: 'other', note: 'n' },
    },
    updateQuantity: { body: count },
    findByBarcode: { body: { barcode: 'FUZZ-1' } },
    configureHighVolume: {
      body: { barcode: 'FUZZ-1', assignments: { Monday: ['PRIMARY'], Friday: ['Primary Warehouse'] } },
    },
    bulkHighVolume: { body: { barcodes: ['FUZZ-1', 'FUZZ-2'], ...day, action: 'add' } },
    migrateHighVolume: {},
    countLowStock: {},
    getStockValue: {},
    suggestHighVolume: { query: { location: 'PRIMARY', limit: '5' } },
    setUnitCosts: { body: { components: [{ barcode: 'FUZZ-1', unit_cost: 12.5 }] } },
    keepComponents: { body: { location: 'SECONDARY', kept: false, barcodes: ['FUZZ-1'] } },
    countKept: { query: { location: 'PRIMARY' } },
    placeComponents: {
      body: { location: 'PRIMARY', components: [{ barcode: 'FUZZ-1', bin: 'A-1', minimum: 5 }] },
    },
    searchComponents: {
      query: {
        text: 'FUZZ',
        state: 'active',
        location: 'PRIMARY',
        sort: 'here',
        sort_location: 'PRIMARY',
        limit: '5',
        cursor: Buffer.from('here\nFUZZ-1\n5').toString('base64url'),
      },
    },
    componentDetail: { query: { barcode: 'FUZZ-1' } },
    listMovements: {
      query: { barcode: 'FUZZ-1', limit: '5', cursor: '01890a5d-ac96-774b-bcce-b302099a8057' },
    },
    componentMovements: {
      query: { barcode: 'FUZZ-1', limit: '5', cursor: '01890a5d-ac96-774b-bcce-b302099a8057' },
    },
    componentCounts: {
      query: { barcode: 'FUZZ-1', limit: '5', cursor: '01890a5d-ac96-774b-bcce-b302099a8057' },
    },
    componentLabels: {
      query: { barcode: 'FUZZ-1', limit: '5', cursor: '01890a5d-ac96-774b-bcce-b302099a8057' },
    },
    componentLedger: { query: { barcode: 'FUZZ-1' } },
    describeComponent: { body: { barcode: 'FUZZ-1', description: 'First' } },
    retireComponent: { body: { barcode: 'FUZZ-RETIRED' } },
    reinstateComponent: { body: { barcode: 'FUZZ-1' } },
    addBarcode: { body: { barcode: 'FUZZ-1', alias: 'FUZZ-ALIAS' } },
    findPacks: { body: { barcodes: ['FUZZ-1', 'FUZZ-ALIAS'] } },
    removeBarcode: { body: { barcode: 'FUZZ-2', alias: `ALIAS-${placeOf(unique) % removable}` } },
    sendTransfer: { body: { barcode: 'FUZZ-2', from: 'PRIMARY', to: 'QUARANTINE', quantity: 1, note: 'n' } },
    receiveTransfer: {
      params: { id: world.transfers.received },
      body: { location: 'SECONDARY', quantity: 1 },
    },
    receiveTransfers: { body: { location: 'SECONDARY', ids: [world.transfers.received] } },
    cancelTransfer: { params: { id: world.transfers.cancelled } },
    writeOffTransfer: { params: { id: world.transfers.writtenOff }, body: { reason: 'Lost' } },
    listTransfers: {
      query: {
        state: 'ended',
        to: 'SECONDARY',
        limit: '5',
        cursor: '01890a5d-ac96-774b-bcce-b302099a8057',
      },
    },
    createImport: {
      body: { name: 'a.csv', fields: ['barcode', 'description', 'primary_bin'], existing: 'set' },
    },
    stageRows: {
      params: { id: world.imports.staged },
      body: { rows: [{ line: 1, cells: ['FUZZ-1', 'First', '7', '1,25 €'] }] },
    },
    previewImport: { params: { id: world.imports.staged } },
    listImportRows: {
      params: { id: world.imports.staged },
      query: { kind: 'changed', limit: '5', after: '0' },
    },
    commitImport: { params: { id: world.imports.committed }, body: { leave_out_bad: true } },
    cancelImport: { params: { id: world.imports.staged } },
    undoImport: { params: { id: world.imports.committed } },
    listImports: { query: { limit: '5', cursor: '01890a5d-ac96-774b-bcce-b302099a8057' } },
    exportComponents: { query: { format: 'csv', text: 'FUZZ', state: 'low', location: 'PRIMARY' } },
    exportStockAt: { query: { format: 'csv', at: '2026-11-20T10:00:00.000Z' } },
    exportCounts: { query: { format: 'xlsx', sku: 'FUZZ', location: 'PRIMARY', ...span } },
    exportMovements: { query: { format: 'csv', sku: 'FUZZ', location: 'PRIMARY', ...span } },
    exportDiscrepancies: {
      query: { format: 'csv', sku: 'FUZZ', location: 'PRIMARY', status: 'open', ...span },
    },
    exportAudit: { query: { format: 'csv', sku: 'FUZZ', location: 'PRIMARY', action: 'Scan', ...span } },
    exportArchive: {},
    highVolumeForDay: { body: day },
    listToCount: { query: { location: 'PRIMARY' } },
    listWithCountStatus: { body: { location: 'PRIMARY', count_type: 'weekly', day: 'Monday' } },
    recordCount: {
      body: {
        ...count,
        source: 'monthly',
        session: `s-${unique}`,
        user_id: 'x',
        timestamp: new Date().toISOString(),
        day: null,
        recount: true,
      },
    },
    undoCount: { body: { key: `undo-${placeOf(unique) % undoable}` } },
    noteCount: { body: { key: 'noted', note: `Damaged ${unique}` } },
    resetCounts: { body: { location: 'PRIMARY', count_type: 'monthly' } },
    resetWeeklyDay: { body: day },
    componentHistory: { body: { barcode: 'FUZZ-1', location: 'PRIMARY' } },
    listHistory: { query: { sku: 'FUZZ-1', location: 'PRIMARY', count_type: 'monthly', limit: '5' } },
    addHistory: {
      body: {
        sku: 'FUZZ-1',
        quantity: 7,
        count_type: 'monthly',
        count_session: 's',
        user_type: 'x',
        source: 'monthly',
        location: 'PRIMARY',
      },
    },
    listWeeklyCounts: { query: { location: 'PRIMARY', day: 'Monday' } },
    saveWeeklyCount: {
      body: { id: 'fuzz-week', ...day, progress: { 'FUZZ-1': 7, nested: { a: [1] } }, completed: false },
    },
    deleteWeeklyCount: { params: { id: 'fuzz-week' } },
    listCycleCounts: { query: { location: 'PRIMARY', user_type: 'user' } },
    saveCycleCount: {
      body: {
        id: 'fuzz-cycle',
        location: 'PRIMARY',
        user_type: 'user',
        progress: { 'FUZZ-1': 7 },
        completed: false,
        start_date: '2026-11-01T00:00:00.000Z',
      },
    },
    deleteCycleCount: { params: { id: 'fuzz-cycle' } },
    listDiscrepancies: {
      query: {
        status: 'open',
        location: 'PRIMARY',
        count_type: 'monthly',
        search: 'FUZZ',
        sort: 'largest',
        limit: '5',
        cursor: '01890a5d-ac96-774b-bcce-b302099a8057',
      },
    },
    listRecounts: { query: { location: 'PRIMARY' } },
    countRoom: {},
    listAssignments: {},
    listAisles: { query: { location: 'PRIMARY' } },
    getMyBins: { query: { location: 'PRIMARY' } },
    assignCounter: {
      body: {
        location: 'PRIMARY',
        user_id: world.assigned.user,
        due_on: world.assigned.due,
        bins: ['A', ''],
      },
    },
    unassignCounter: { params: { id: world.assigned.id } },
    listSpotCounts: {},
    listSpotSkus: { query: { location: 'PRIMARY' } },
    suggestSpotCount: { query: { location: 'PRIMARY', minutes: '45', people: '2' } },
    askSpotCount: {
      body: {
        location: 'PRIMARY',
        barcodes: ['FUZZ-1'],
        user_id: world.assigned.user,
        due_on: world.assigned.due,
      },
    },
    takeBackSpotCount: { params: { id: world.spotCount } },
    listSpotSchedules: {},
    scheduleSpotCounts: { body: { ...recurring, user_id: world.assigned.user } },
    endSpotSchedule: { params: { id: world.spotSchedule } },
    listUnknownCodes: { query: { status: 'open', location: 'PRIMARY', limit: '5' } },
    decideUnknownCodes: { body: { ids: [anyOf(ignorable)], decision: 'ignore' } },
    createFromUnknownCode: { body: { id: anyOf(creatable), description: 'Fuzzy' } },
    decideDiscrepancies: {
      body: {
        ids: [anyOf(world.discrepancies)],
        decision: 'accept',
        seen: [{ id: anyOf(world.discrepancies), expected: 7, counted: 9 }],
        reason: 'found',
        note: 'n',
      },
    },
    reopenDiscrepancy: { body: { id: anyOf(world.dismissed) } },
    getAccuracy: { query: { location: 'PRIMARY', months: '3' } },
    listCountSessions: { query: { month: monthInBerlin() } },
    countSheet: { query: { location: 'PRIMARY', components: 'all' } },
    countCertificate: { query: { month: monthInBerlin(), paper: 'letter' } },
    progressOverTime: { query: { location: 'PRIMARY' } },
    topScannedSkus: { query: { location: 'PRIMARY' } },
    skuByLocation: {},
    weeklyTrends: { query: { location: 'PRIMARY' } },
    streamEvents: { query: { recent: '5' } },
    listApiKeys: {},
    createApiKey: { body: { name: 'Fuzz', scopes: ['read', 'count'] } },
    revokeApiKey: { params: { id: world.access.key } },
    listWebhooks: {},
    createWebhook: { body: { url: 'https://fuzz.invalid/hook', events: ['count.recorded'] } },
    enableWebhook: { params: { id: world.access.webhook } },
    testWebhook: { params: { id: world.access.webhook } },
    deleteWebhook: { params: { id: world.access.removed } },
    listDeliveries: { params: { id: world.access.webhook }, query: {} },
    replayDelivery: { params: { id: world.access.delivery } },
    verifyAuditTrail: { body: { seq: 1, hash: 'a'.repeat(64) } },
    generateLabels: {
      body: {
        components: [{ id: 'a', barcode: 'FUZZ-1', description: 'First', quantity: 7 }],
        includeId: true,
        labelSize: { width: 4, height: 1.5 },
        copies: 1,
        location: 'PRIMARY',
        selected: false,
        page: 'letter',
        dpi: 300,
        margins: { left: 0.2, top: 0.5, columnGap: 0.1, rowGap: 0 },
        offset: { x: 0.01, y: -0.01 },
        first: 2,
        symbology: 'qr',
        format: 'pdf',
      },
    },
    calibrationPage: { body: { labelSize: { width: 2, height: 1 }, page: 'a4', dpi: 203 } },
    binLabels: {
      body: { location: 'PRIMARY', bins: ['A'], unprintable: 'leave_out', unknown: 'leave_out', page: 'a4' },
    },
    commandSheet: { body: { labelSize: { width: 4, height: 1.5 }, page: '4x6', dpi: 203 } },
    labelSymbol: { query: { symbology: 'qr', barcode: 'FUZZ-1' } },
    listLabelled: {},
    logAudit: {
      body: {
        sku: 'FUZZ-1',
        quantity: 7,
        location: 'PRIMARY',
        source: 'screen',
        user_type: 'user',
        user_name: 'x',
        metadata: { type: 'search', nested: { a: [1] } },
      },
    },
    listAuditTrail: {
      query: {
        sku: 'FUZZ',
        location: 'PRIMARY',
        source: 'screen',
        action: 'Scan',
        from: '2026-01-01T00:00:00.000Z',
        to: '2030-01-01T00:00:00+01:00',
        limit: '5',
        cursor: '01890a5d-ac96-774b-bcce-b302099a8057',
      },
    },
  }
}

export const endpoints: Record<EndpointName, Endpoint> = allEndpoints

export const endpointNames = Object.keys(allEndpoints).filter(
  (name): name is EndpointName => name in endpoints,
)

type Random = {
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
}

/** The mulberry32 generator: the same numbers for the same seed, everywhere. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
    pick(from) {
      const picked = from[Math.floor(next() * from.length)]
      if (picked === undefined) throw new Error('There is nothing to pick from.')
      return picked
    },
  }
}

/** The seed of one request: any request of a run can be made again alone. */
function seedAt(seed: number, index: number): number {
  return Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)
}

type Path = readonly (string | number)[]

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every place in a JSON value, the value itself first. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((held, index) => pathsOf(held, [...path, index]))]
  if (!isMap(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([key, held]) => pathsOf(held, [...path, key]))]
}

const gone = Symbol('gone')

type Change = (held: unknown) => unknown

/** The value with one place changed; a place changed to `gone` is left out. */
function edit(value: unknown, [step, ...rest]: Path, change: Change): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const held: unknown[] = value
    return held.flatMap((item, index) => {
      const next = index === step ? edit(item, rest, change) : item
      return next === gone ? [] : [next]
    })
  }
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const next = key === step ? edit(item, rest, change) : item
      return next === gone ? [] : [[key, next]]
    }),
  )
}

export type FuzzCase = {
  index: number
  name: EndpointName
  role: Role
  label: string
  method: string
  path: string
  query: string
  headers: OutgoingHttpHeaders
  body: string | Buffer | undefined
  /** Address or method are not the endpoint's own, so that 'not found' is an answer too. */
  astray: boolean
  /** Sent over a connection of its own, because the server may close it. */
  alone: boolean
  /** Refused whatever the state: 4xx, and nothing changes. */
  refused: boolean
}

const markedValue = '@@VALUE@@'
const markedKey = '@@KEY@@'

/** The body with its marks replaced by text that JSON.stringify would not write. */
function write(body: unknown, { key = '""', value }: { key?: string; value: string }): string {
  return JSON.stringify(body)
    .replace(`"${markedKey}"`, () => key)
    .replace(`"${markedValue}"`, () => value)
}

/** One field of a body replaced, left out, added or given twice. */
function mutateBody(given: FuzzCase, body: unknown, random: Random): FuzzCase {
  const paths = pathsOf(body)
  const path = random.pick(paths)
  const place = path.join('.') || 'the body'
  if (path.length > 0 && random.chance(0.08)) {
    return { ...given, label: `without ${place}`, body: JSON.stringify(edit(body, path, () => gone)) }
  }
  const { name, json } = random.pick(hostileJson)
  const maps = paths.filter((candidate) => {
    const found = candidate.reduce<unknown>((held, step) => Object(held)[step], body)
    return isMap(found)
  })
  if (maps.length > 0 && random.chance(0.12)) {
    const key = random.pick(hostileKeys)
    const into = random.pick(maps)
    const added = edit(body, into, (held) => (isMap(held) ? { ...held, [markedKey]: markedValue } : held))
    const label = `${into.join('.') || 'the body'} with ${JSON.stringify(key)}: ${name}`
    return { ...given, label, body: write(added, { key: JSON.stringify(key), value: json }) }
  }
  const last = path.at(-1)
  if (typeof last === 'string' && random.chance(0.05)) {
    const twice = edit(body, path.slice(0, -1), (held) =>
      isMap(held) ? { ...held, [markedKey]: markedValue } : held,
    )
    const label = `${place} twice: ${name}`
    return { ...given, label, body: write(twice, { key: JSON.stringify(last), value: json }) }
  }
  const replaced = edit(body, path, () => markedValue)
  return { ...given, label: `${place}: ${name}`, body: write(replaced, { value: json }) }
}

const rawQueries = ['%00', '%', '&&&', '=', 'a[b]=1', '%FF=%C0%AF', '__proto__[polluted]=1', '?'.repeat(50)]

/** One query parameter replaced, doubled, left out or unknown. */
function mutateQuery(given: FuzzCase, endpoint: Endpoint, random: Random): FuzzCase {
  const known = Object.keys(endpoint.query?.shape ?? {})
  const query = parseQuery(given.query)
  const parameter = known.length > 0 && random.chance(0.9) ? random.pick(known) : random.pick(hostileKeys)
  const { name, text } = random.pick(hostileTexts)
  const way = random.below(12)
  if (way === 0) return { ...given, label: 'a raw query', query: random.pick(rawQueries) }
  const { [parameter]: held, ...others } = query
  if (way === 1) return { ...given, label: `query without ${parameter}`, query: stringifyQuery(others) }
  const value = way === 2 ? [String(held ?? ''), text] : text
  const label = `query ${JSON.stringify(parameter)}${way === 2 ? ' twice' : ''}: ${name}`
  return { ...given, label, query: encodeQuery({ ...others, [parameter]: value }) }
}

/** As stringify, which refuses lone surrogates: they become U+FFFD, as a browser sends them. */
function encodeQuery(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((one) => `${encode(key)}=${encode(String(one))}`),
  )
  return pairs.join('&')
}

function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

function mutatePath(given: FuzzCase, endpoint: Endpoint, random: Random): FuzzCase {
  const piece = random.pick(hostilePathPieces)
  const astray = { ...given, astray: true, alone: true }
  if (endpoint.params !== undefined && random.chance(0.7)) {
    const { name, text } = random.pick(hostileTexts)
    const [id, label] = random.chance(0.6) ? [encode(text), name] : [piece, piece.slice(0, 30)]
    return { ...astray, label: `path id: ${label}`, path: endpoint.path.replace('{id}', () => id) }
  }
  const label = `path with ${piece.slice(0, 30)}`
  if (random.chance(0.3)) return { ...astray, label: `${label} before`, path: `/${piece}${given.path}` }
  if (random.chance(0.3)) {
    const path = given.path.replace(/\/[^/]*$/, (end) => `/${piece}${end}`)
    return { ...astray, label: `${label} inside`, path }
  }
  return { ...astray, label: `${label} after`, path: `${given.path}${piece}` }
}

/** Authorization headers that nobody is signed in by. */
function forgedHeaders(token: string): string[] {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  return [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    token,
    `Bearer ${token}x`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${none}.${payload}.`,
    `Bearer ${none}.${payload}.${signature}`,
    `Bearer ${header}.${Buffer.from('{"sub":1}').toString('base64url')}.${signature}`,
    `Bearer ${signature}.${payload}.${header}`,
    `Bearer ${'.'.repeat(10_000)}`,
    `Bearer ${canary}`,
    `Bearer \xff\xfe`,
    `Bearer ${'A'.repeat(8_000)}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    'Bearer null',
    'Bearer undefined',
  ]
}

function mutateHeaders(given: FuzzCase, endpoint: Endpoint, random: Random): FuzzCase {
  const set = (label: string, headers: OutgoingHttpHeaders, refused: boolean): FuzzCase => ({
    ...given,
    label,
    refused,
    headers: { ...given.headers, ...headers },
    alone: true,
  })
  const way = random.below(10)
  if (way < 3 && endpoint.access !== 'public') {
    const held = given.headers.authorization
    const forged = random.pick(forgedHeaders(String(held).slice('Bearer '.length)))
    return set(`authorization ${forged.slice(0, 20)}`, { authorization: forged }, true)
  }
  if (way < 6) {
    const { type, refused } = random.pick(contentTypes)
    return set(`content type ${type}`, { 'content-type': type }, refused && given.body !== undefined)
  }
  if (way < 8) {
    const { key, refused } = random.pick(idempotencyKeys)
    const takesKey = endpoint.effect === 'write' && endpoint.access !== 'public'
    return set(`key ${key.slice(0, 30)}`, { 'idempotency-key': key }, refused && takesKey)
  }
  const header = random.pick(hostileHeaders)
  return set(`header ${Object.keys(header).join()}`, header, false)
}

const tenMegabytes = Buffer.alloc(10_000_000, ' ')
const notJson: readonly (string | Buffer)[] = [
  '{',
  '}',
  '[1,]',
  "{'a':1}",
  '{"a":01}',
  'NaN',
  'undefined',
  canary,
  `{"token":${canary}}`,
  '\ufeff{}',
  '"unterminated',
  '{"a":1}{"a":2}',
  '\0',
  Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3]),
  Buffer.concat([Buffer.from('{"barcode":"'), Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80])]),
  '['.repeat(100_000),
  '{"a":'.repeat(30_000),
]

/** A body by a compression the server does not take: garbage, or the valid body itself. */
function compressed(given: FuzzCase, random: Random): FuzzCase {
  const encoding = random.pick(['gzip', 'br', 'deflate', canary])
  const garbage = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0x4b, 4, 0])
  const zipped = random.chance(0.5) ? gzipSync(given.body ?? '{}') : gzipSync(tenMegabytes)
  const body = random.chance(0.5) ? garbage : zipped
  const headers = { ...given.headers, 'content-encoding': encoding }
  return { ...given, headers, label: `a body in ${encoding}`, body }
}

function mutateRaw(valid: FuzzCase, random: Random): FuzzCase {
  // No body of a GET is read, whatever it is.
  const refused = valid.method !== 'GET'
  const headers = { ...valid.headers, 'content-type': 'application/json' }
  const given = { ...valid, headers, refused, alone: true }
  if (random.chance(0.1)) return { ...given, label: '10 MB of spaces', body: tenMegabytes }
  if (random.chance(0.2)) return compressed(given, random)
  if (random.chance(0.1)) return { ...given, label: 'an empty body', body: '', refused: false }
  const body = random.pick(notJson)
  return { ...given, label: `raw ${body.toString('latin1').slice(0, 30)}`, body }
}

const methods = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

function mutateMethod(given: FuzzCase, random: Random): FuzzCase {
  const method = random.pick(methods)
  return { ...given, label: `method ${method}`, method, astray: true, alone: true }
}

const endsSessions = new Set<EndpointName>(['logout', 'changePassword'])

type Parts = { params?: Record<string, string>; query?: object; body?: unknown }

function caseOf(
  world: World,
  { name, role, index }: { name: EndpointName; role: Role; index: number },
): {
  valid: FuzzCase
  parts: Parts
} {
  const endpoint = endpoints[name]
  const parts: Parts = validRequests(world, `${index.toString(36)}-${world.tokens.admin.slice(-8)}`)[name]
  const token = endsSessions.has(name) ? world.leaver.token : world.tokens[role]
  const valid: FuzzCase = {
    index,
    name,
    role,
    label: 'valid',
    method: endpoint.method,
    path: endpoint.path.replace('{id}', () => encode(parts.params?.['id'] ?? '')),
    query: encodeQuery({ ...parts.query }),
    headers: {
      ...(endpoint.method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(endpoint.access === 'public' ? {} : { authorization: `Bearer ${token}` }),
    },
    body: parts.body === undefined ? undefined : JSON.stringify(parts.body),
    astray: false,
    alone: false,
    refused: false,
  }
  return { valid, parts }
}

/** The valid request of a call, as one of a run. */
export function validCase(
  world: World,
  name: EndpointName,
  { role = 'admin', index = 0 }: { role?: Role; index?: number } = {},
): FuzzCase {
  return caseOf(world, { name, role, index }).valid
}

/** A field, where the call has any: its body's, else its query's, else its path's. */
function mutateField(given: FuzzCase, parts: Parts, random: Random): FuzzCase {
  const endpoint = endpoints[given.name]
  if (endpoint.query !== undefined && random.chance(parts.body === undefined ? 0.95 : 0.2)) {
    return mutateQuery(given, endpoint, random)
  }
  if (endpoint.params !== undefined) return mutatePath(given, endpoint, random)
  if (random.chance(0.03)) return mutateQuery(given, endpoint, random)
  const headers = { ...given.headers, 'content-type': 'application/json' }
  return mutateBody({ ...given, headers }, parts.body ?? { anything: 1 }, random)
}

function mutate(given: FuzzCase, parts: Parts, random: Random): FuzzCase {
  const endpoint = endpoints[given.name]
  const way = random.below(100)
  if (way < 4) return mutateMethod(given, random)
  if (way < 10) return mutateRaw(given, random)
  if (way < 24) return mutateHeaders(given, endpoint, random)
  if (way < 32) return mutatePath(given, endpoint, random)
  return mutateField(given, parts, random)
}

function accepts(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  return schema === undefined || z.safeParse(schema, value).success
}

/** Whether the contract itself refuses the parts: then the reply must be 4xx, whatever the state is. */
function contractRefuses({ name, method, query, body, astray }: FuzzCase): boolean {
  const endpoint = endpoints[name]
  if (astray) return false
  try {
    const unread = method === 'GET' || body === undefined || body === ''
    const sent: unknown = unread ? undefined : JSON.parse(body.toString())
    return !accepts(endpoint.query, { ...parseQuery(query) }) || !accepts(endpoint.body, sent)
  } catch (error) {
    if (error instanceof SyntaxError) return true
    // Nesting that overflows the stack here says nothing of what the server does with it.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** As the web client sends its writes: under a key of its own. */
function withKey(bare: FuzzCase): FuzzCase {
  return { ...bare, headers: { ...bare.headers, 'idempotency-key': `fuzz-${bare.index}` } }
}

/** Request number `index` of a run: always the same one for a seed. */
function caseAt(world: World, { seed, index }: { seed: number; index: number }): FuzzCase {
  const random = randomFrom(seedAt(seed, index))
  const name = random.pick(endpointNames)
  const role = random.pick<Role>(['admin', 'staff'])
  const { valid: bare, parts } = caseOf(world, { name, role, index })
  const valid = random.chance(0.4) ? withKey(bare) : bare
  const mutated = mutate(valid, parts, random)
  return mutated.refused || !contractRefuses(mutated) ? mutated : { ...mutated, refused: true }
}

export type FuzzReply = { status: number; type: string; retryAfter: string; body: Buffer; ms: number }

/** Sends a request as it stands: no address is tidied and no header corrected on the way. */
async function send(url: string, agent: Agent, sent: FuzzCase): Promise<FuzzReply> {
  const { hostname, port } = new URL(url)
  const started = performance.now()
  const path = sent.query === '' ? sent.path : `${sent.path}?${sent.query}`
  return await new Promise((resolve, reject) => {
    const { method } = sent
    const size = sent.body === undefined ? {} : { 'content-length': Buffer.byteLength(sent.body) }
    const headers = { ...sent.headers, ...size }
    const options = {
      hostname,
      port,
      agent: sent.alone || sent.name === 'streamEvents' ? false : agent,
      method,
      path,
      headers,
    }
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = []
      const type = response.headers['content-type'] ?? ''
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      const finish = () =>
        resolve({
          status: response.statusCode ?? 0,
          type,
          retryAfter: response.headers['retry-after'] ?? '',
          body: Buffer.concat(chunks),
          ms: performance.now() - started,
        })
      response.on('error', reject)
      response.on('end', finish)
      // A stream of events has no end: that it began is the reply.
      if (type.startsWith('text/event-stream')) {
        finish()
        response.destroy()
      }
    })
    request.setTimeout(30_000, () => request.destroy(new Error('No reply within 30 s.')))
    request.on('error', reject)
    request.end(sent.body)
  })
}

/** Words of the inside that no error may show. */
const inside =
  /zod|fastify|kysely|postgres|syntax error at|invalid input syntax|invalid byte|unexpected (token|end)|undefined|\[object|\bNaN\b|node_modules|\bat \w+\.\w|\.[jt]s:\d|violates|stack/i

/** Sentences that name the barcode on purpose: they are read beside the row they speak of. */
const namesTheBarcode = new Set(['labels_refused'])

/** Calls whose errors name on purpose who decided before, whom an earlier request may have given any name. */
const namesWhoDecided = new Set<EndpointName>(['decideDiscrepancies', 'reopenDiscrepancy'])

/** The text of an error without the names of people and bins that it tells. */
function withoutNames(text: string, { name }: FuzzCase): string {
  if (name === 'binLabels') return text.replaceAll(/ in bins? (?:[^"\\]|\\.)*(?= here)/g, ' in some bin')
  return namesWhoDecided.has(name) ? text.replaceAll(/ by (?:[^"\\]|\\.)*(?=")/g, ' by somebody') : text
}

const documented = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ responses: z.record(z.string(), z.object({ description: z.string() })) }),
    ),
  ),
})
const { paths } = documented.parse(await describeApi(allEndpoints, 'fuzz'))

/** The codes the OpenAPI document names for a call, and for that of another method there, without those that a quiet server never gives. */
function documentedCodes({ name, method: sent, astray }: FuzzCase): Set<string> {
  const { path, method } = endpoints[name]
  const responses = [method, sent].flatMap((one) =>
    Object.values(paths[path]?.[one.toLowerCase()]?.responses ?? {}),
  )
  const named = responses.flatMap(({ description }) => description.match(/(?<=`)\w+(?=`: )/g) ?? [])
  const codes = new Set(named)
  codes.delete('internal')
  codes.delete('unavailable')
  if (astray) codes.add('not_found')
  return codes
}

const tableOfErrors: Record<string, { status: number; sentence: string }> = errorTable

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What an error says that it must not; `shown` is the reply's text, or the sentence alone. */
function judgeWords(shown: string, status: number): string[] {
  const found = inside.exec(shown)
  return [
    found === null ? [] : [`shows the inside: ${found[0]}`],
    status !== 401 && /token|unauthorized/i.test(shown) ? ['words that sign out'] : [],
    shown.includes(canary) ? ['repeats the input'] : [],
  ].flat()
}

function judgeError(sent: FuzzCase, reply: FuzzReply): string[] {
  const text = reply.body.toString()
  const parsed = errorReply.safeParse(parseJson(text))
  if (!parsed.success || !reply.type.includes('application/json')) {
    return [`${reply.status} is no error reply`, ...judgeWords(text, reply.status)]
  }
  const { code, error, details = [] } = parsed.data
  return [
    tableOfErrors[code]?.status === reply.status ? [] : [`code ${code} with status ${reply.status}`],
    documentedCodes(sent).has(code) ? [] : [`undocumented code ${code}`],
    details.length <= 100 ? [] : ['more than 100 details'],
    judgeWords(namesTheBarcode.has(code) ? error : withoutNames(text, sent), reply.status),
  ].flat()
}

/** A stream, a picture or a PDF, as declared. */
function judgeFile(declared: Endpoint['reply'], reply: FuzzReply): string[] {
  if ('events' in declared) return reply.type.startsWith('text/event-stream') ? [] : ['reply is no stream']
  if ('image' in declared) return reply.type.startsWith('image/') ? [] : ['reply is no picture']
  if ('files' in declared) {
    const known = declared.files.some((type) => reply.type.startsWith(type))
    return known ? [] : ['reply is no such file']
  }
  const text = reply.body.toString('latin1')
  return text.startsWith('%PDF') && text.trimEnd().endsWith('%%EOF') ? [] : ['reply is no PDF']
}

function judgeSuccess(sent: FuzzCase, reply: FuzzReply): string[] {
  const { reply: declared, revalidates } = endpoints[sent.name]
  if (sent.astray || (reply.status === 304 && revalidates === true)) return []
  if (reply.status !== declared.status) return [`undocumented success ${reply.status}`]
  if ('json' in declared) {
    return declared.json.safeParse(parseJson(reply.body.toString())).success
      ? []
      : ['reply unlike its schema']
  }
  return judgeFile(declared, reply)
}

/** What is wrong with a reply; empty where nothing is. */
export function judge(sent: FuzzCase, reply: FuzzReply): string[] {
  const { status } = reply
  const late = reply.ms > 10_000 ? [`took ${Math.round(reply.ms)} ms`] : []
  const waits = status === 429 || status === 503
  const faults = waits && !/^\d+$/.test(reply.retryAfter) ? ['no Retry-After'] : []
  if (status >= 500) return [...late, ...faults, `server error ${status}`]
  // A reply to HEAD has no body to judge.
  if (sent.method === 'HEAD') return late
  if (status >= 400) return [...late, ...faults, ...judgeError(sent, reply)]
  const accepted = sent.refused ? ['accepted what the contract refuses'] : []
  return [...late, ...accepted, ...judgeSuccess(sent, reply)]
}

/** Refused calls and sign-ins are recorded on purpose; throttling and last use are no state of a company. */
const views: Record<string, string> = {
  // Filled in the background.
  audit_seals: 'select 1 where false',
  low_stock: 'select 1 where false',
  webhooks: 'select tenant_id, id, url, events, secret from webhooks',
  webhook_deliveries: "select tenant_id, id from webhook_deliveries where event = 'test'",
  audit_entries: `select * from audit_entries
    where not (origin = 'server' and event in ('access_refused', 'login_failed', 'stock_low'))`,
  sessions: 'select tenant_id, id, ended_at from sessions',
  attempts: 'select 1 where false',
}

/** A fingerprint of every table there is. */
async function digest(app: TestApp): Promise<string> {
  const { rows } = await app.owner.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const sums = await Promise.all(
    rows.map(async ({ name }) => {
      const result = await app.owner.query<{ sum: string }>(
        `select concat(count(*), '/', sum(hashtextextended(seen::text, 0)::numeric)) as sum
         from (${views[name] ?? `select * from ${name}`}) as seen`,
      )
      return `${name} ${result.rows[0]?.sum ?? ''}`
    }),
  )
  return sums.join('\n')
}

/** Which lines of two digests differ. */
function changedTables(before: string, after: string): string[] {
  const held = new Set(before.split('\n'))
  return after.split('\n').flatMap((line) => (held.has(line) ? [] : [line.split(' ')[0] ?? '']))
}

const madeId = z.object({ id: z.uuid() })
const made = z.object({ transfer: madeId.optional(), import: madeId.optional() })

/** Transfers under way, where the plan has a second location, and imports that wait for a decision. */
async function makeUndecided(app: TestApp, token: string): Promise<Pick<World, 'transfers' | 'imports'>> {
  const moved = { barcode: 'DIFF-9', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 }
  const transfer = async () => {
    const { body } = await app.ask({ path: '/api/transfers', token, body: moved })
    return made.parse(body).transfer?.id ?? randomUUID()
  }
  const staged = async () => {
    const file = { name: 'a.csv', fields: ['barcode', 'description', 'primary_quantity', 'unit_cost'] }
    const { body } = await app.ask({ path: '/api/imports', token, body: file })
    const id = made.parse(body).import?.id ?? ''
    const rows = [{ line: 2, cells: ['FUZZ-3', 'Third', '3', '2.50'] }]
    await app.ask({ path: `/api/imports/${id}/rows`, token, body: { rows } })
    return id
  }
  return {
    transfers: { received: await transfer(), cancelled: await transfer(), writtenOff: await transfer() },
    imports: { staged: await staged(), committed: await staged() },
  }
}

/** A key and webhooks, as the owner of the database makes them: a starter's company could not. */
async function makeAccess(app: TestApp, tenantId: string): Promise<World['access']> {
  const { rows } = await app.owner.query<World['access']>(
    `with holder as (
       insert into users (tenant_id, email, name, role, password_hash)
       values ($1, 'im_fuzz', 'Fuzz (API key)', 'api_key', '') returning id
     ), session as (
       insert into sessions (tenant_id, id, user_id, user_agent, expires_at)
       select $1, gen_random_uuid(), id, 'API key', now() + interval '1 year' from holder returning id, user_id
     ), key as (
       insert into api_keys (tenant_id, name, prefix, secret_hash, scopes, user_id, session_id, created_by)
       select $1, 'Fuzz', 'fuzz', sha256('fuzz'), '{read}', user_id, id, 'Fay' from session returning id
     ), kept as (
       insert into webhooks (tenant_id, url, events, secret, position, created_by)
       values ($1, 'https://fuzz.invalid/', '{count.recorded}', 'whsec_AAAA', 0, 'Fay') returning id
     ), removed as (
       insert into webhooks (tenant_id, url, events, secret, position, created_by)
       values ($1, 'https://fuzz.invalid/', '{count.recorded}', 'whsec_AAAA', 0, 'Fay') returning id
     ), delivery as (
       insert into webhook_deliveries (tenant_id, webhook_id, event, body, status)
       select $1, id, 'test', '{}', 'failed' from kept returning id
     )
     select key.id as key, kept.id as webhook, removed.id as removed, delivery.id as delivery
     from key, kept, removed, delivery`,
    [tenantId],
  )
  const [access] = rows
  if (access === undefined) throw new Error('The key and the webhooks were not made.')
  return access
}

/** One-time links, made past the plan's places; the secrets of those to be used. */
async function makeLinks(app: TestApp, member: Person): Promise<World['secrets']> {
  const by = { hours: 24, maker: { userId: null, userName: 'Fuzz' } }
  const invitation = { kind: 'invitation', role: 'user' } as const
  return await app.database.inTenant(member.tenantId, async (tx) => {
    await makeLink(tx, { ...invitation, email: 'taken-back@example.com' }, by)
    const email = `invited-${member.userId}@example.com`
    const own = { email: member.email, userId: member.userId }
    return {
      invitation: (await makeLink(tx, { ...invitation, email }, by)).secret,
      password: (await makeLink(tx, { kind: 'password', ...own }, by)).secret,
      email: (await makeLink(tx, { kind: 'email', ...own }, by)).secret,
    }
  })
}

/** Counts that each person may take back or say something of, each under its key. */
async function countUnderKeys(app: TestApp, people: readonly Person[]): Promise<void> {
  for (const [place, { token }] of people.entries()) {
    const undone = Array.from({ length: undoable }, (_, index) => ({
      barcode: `UNDO-${place}-${index}`,
      key: `undo-${index}`,
    }))
    for (const { barcode, key } of [...undone, { barcode: 'NOTED', key: 'noted' }]) {
      const timestamp = new Date().toISOString()
      const body = { barcode, quantity: 7, location: 'PRIMARY', session: 'setup', timestamp }
      await app.ask({ path: '/api/components/update-with-tracking', token, body, key })
    }
  }
}

/** Other barcodes to be taken from a component. */
async function addBarcodes(app: TestApp, { token }: Person): Promise<void> {
  for (let index = 0; index < removable; index += 1) {
    const body = { barcode: 'FUZZ-2', alias: `ALIAS-${index}` }
    await app.ask({ path: '/api/components/add-barcode', token, body })
  }
}

/** Asks a colleague to count until the end of the month, where the company is. */
async function askToCount(
  app: TestApp,
  { admin, staff }: { admin: Person; staff: Person },
): Promise<World['assigned']> {
  const due = lastDayOfMonth(dayInBerlin())
  const body = { location: 'PRIMARY', user_id: staff.userId, due_on: due }
  const asked = await app.done({ path: '/api/counting/assignments', token: admin.token, body })
  return { id: madeId.parse(asked.body).id, user: staff.userId, due }
}

/** Asks for one SKU to be counted until the end of the month. */
async function askForOne(app: TestApp, { token }: Person, due: string): Promise<string> {
  const body = { location: 'PRIMARY', barcodes: ['FUZZ-1'], due_on: due }
  const asked = await app.done({ path: '/api/counting/spot-counts', token, body })
  return madeId.parse(asked.body).id
}

const recurring = {
  location: 'PRIMARY',
  days: ['Monday' as const, 'Thursday' as const],
  minutes: 45,
  people: 2,
}

async function haveRecur(app: TestApp, { token }: Person): Promise<string> {
  const made = await app.done({ path: '/api/counting/spot-schedules', token, body: recurring })
  return madeId.parse(made.body).id
}

/** A company with an administrator, staff, sessions to end, components and differences to decide. */
export async function makeWorld(app: TestApp, plan: PlanKey = 'professional'): Promise<World> {
  const admin = await makeCompany(app, { plan, timeZone: 'Europe/Berlin' })
  const staff = await makeStaff(app, admin)
  const leaver = await makeStaff(app, admin, 'Lee Leaver')
  const { rows: users } = await app.owner.query<{ hash: string }>(
    'select password_hash as hash from users where id = $1',
    [leaver.userId],
  )
  // The starter plan has no seat for a fourth.
  const member = plan === 'starter' ? leaver : await makeStaff(app, admin, 'Mia Member')
  const links = await makeLinks(app, member)
  await app.ask({ path: '/api/auth/login', body: { email: admin.email, passcode: testPassword } })
  const { rows: ids } = await app.owner.query<{ session: string; invitation: string }>(
    `select (select id from sessions where user_id = $2 order by created_at desc limit 1) as session,
       (select id from one_time_links where tenant_id = $1 and email = 'taken-back@example.com') as invitation`,
    [admin.tenantId, admin.userId],
  )
  const differing = Array.from({ length: 10 }, (_, index) => `DIFF-${index}`)
  const undone = Array.from({ length: undoable }, (_, index) => [`UNDO-0-${index}`, `UNDO-1-${index}`]).flat()
  const rows = ['FUZZ-1', 'FUZZ-2', 'NOTED', ...differing, ...undone].map((barcode) => ({
    barcode,
    primary_quantity: 7,
  }))
  const retired = { barcode: 'FUZZ-RETIRED' }
  await app.ask({ path: '/api/components/import', token: admin.token, body: [...rows, retired] })
  await addBarcodes(app, admin)
  const unknown = Array.from({ length: 20 }, (_, index) => `UNKNOWN-${index}`)
  for (const barcode of [...differing, ...differing, ...unknown]) {
    const timestamp = new Date().toISOString()
    const body = { barcode, quantity: 9, location: 'PRIMARY', session: 'setup', timestamp }
    await app.ask({ path: '/api/components/update-with-tracking', token: admin.token, body })
  }
  await countUnderKeys(app, [admin, staff])
  const { rows: found } = await app.owner.query<{ id: string }>(
    'select id from discrepancies where tenant_id = $1 order by sku',
    [admin.tenantId],
  )
  const differences = found.map(({ id }) => id)
  const dismissed = differences.slice(0, 3)
  const assigned = await askToCount(app, { admin, staff })
  const dismissal = { ids: dismissed, decision: 'dismiss' }
  await app.ask({ path: '/api/discrepancies/decide', token: admin.token, body: dismissal })
  const { rows: codes } = await app.owner.query<{ id: string }>(
    'select id from unknown_codes where tenant_id = $1 order by id',
    [admin.tenantId],
  )
  return {
    tokens: { admin: admin.token, staff: staff.token },
    leaver: { token: leaver.token, email: leaver.email, passwordHash: users[0]?.hash ?? '' },
    member: member.userId,
    secrets: links,
    invitation: ids[0]?.invitation ?? '',
    assigned,
    spotCount: await askForOne(app, admin, assigned.due),
    spotSchedule: await haveRecur(app, admin),
    session: ids[0]?.session ?? '',
    email: admin.email,
    discrepancies: differences.filter((id) => !dismissed.includes(id)),
    dismissed,
    ...(await makeUndecided(app, admin.token)),
    access: await makeAccess(app, admin.tenantId),
    unknownCodes: codes.map(({ id }) => id),
  }
}

export type Failure = {
  index: number
  where: string
  label: string
  fault: string
  sent: string
  got: string
}

export type FuzzReport = {
  seed: number
  requests: number
  /** Refused requests sent a second time, to see that they change nothing. */
  repeated: number
  digests: number
  seconds: number
  slowest: { ms: number; where: string }
  statuses: Record<string, number>
  /** Codes of error replies. */
  codes: Record<string, number>
  failures: Failure[]
}

type Outcome = { sent: FuzzCase; reply: FuzzReply | null }
type Run = { app: TestApp; agent: Agent; report: FuzzReport }

const concurrency = 8

function tally(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

function fail(run: Run, { sent, reply }: Outcome, fault: string): void {
  run.report.failures.push({
    index: sent.index,
    where: `${sent.name} as ${sent.role}`,
    label: sent.label,
    fault,
    sent: `${sent.method} ${sent.path}?${sent.query} ${sent.body?.toString().slice(0, 300) ?? ''}`.slice(
      0,
      500,
    ),
    got: `${reply?.status ?? 'no reply'} ${reply?.body.toString().slice(0, 300) ?? ''}`,
  })
}

async function sendOne(run: Run, sent: FuzzCase): Promise<Outcome> {
  try {
    return { sent, reply: await send(run.app.url, run.agent, sent) }
  } catch (error) {
    const outcome = { sent, reply: null }
    // A server may close on a body it does not want before all of it was written.
    if (sent.body === tenMegabytes) return outcome
    fail(run, outcome, `no reply: ${error instanceof Error ? error.message : 'unknown'}`)
    return outcome
  }
}

/** Sends requests, some at a time, in order of their start. */
async function sendAll(run: Run, cases: readonly FuzzCase[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = cases.values()
  const work = async () => {
    for (const sent of waiting) outcomes.push(await sendOne(run, sent))
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcomes
}

function record(run: Run, outcome: Outcome): void {
  const { report } = run
  const { sent, reply } = outcome
  report.requests += 1
  tally(report.statuses, String(reply?.status ?? 'closed'))
  if (reply === null) return
  if (reply.status >= 400) {
    const parsed = errorReply.safeParse(parseJson(reply.body.toString()))
    tally(report.codes, parsed.success ? parsed.data.code : `none with ${reply.status}`)
  }
  if (reply.ms > report.slowest.ms) report.slowest = { ms: reply.ms, where: `${sent.name}: ${sent.label}` }
  for (const fault of judge(sent, reply)) fail(run, outcome, fault)
}

/** Makes good what successful logouts and changed passwords did, so that the next ones get as far. */
async function restoreLeaver(run: Run, { leaver }: World): Promise<void> {
  const { owner } = run.app
  await owner.query('update sessions set ended_at = null where ended_at is not null')
  await owner.query('update users set active = true where not active')
  await owner.query('update users set password_hash = $2 where email = $1', [
    leaver.email,
    leaver.passwordHash,
  ])
}

/** Finds the requests of a batch that change something, one by one. */
async function findChanging(run: Run, cases: readonly FuzzCase[]): Promise<void> {
  for (const sent of cases) {
    const before = await digest(run.app)
    const outcome = await sendOne(run, sent)
    const changed = changedTables(before, await digest(run.app))
    if (changed.length > 0 && (outcome.reply?.status ?? 400) >= 400) {
      fail(run, outcome, `refused, and changed ${changed.join()}`)
    }
  }
}

/** Sends requests that must all be refused between two digests; gives the replies, and whether all were refused. */
async function sendRefused(run: Run, cases: readonly FuzzCase[]): Promise<Outcome[]> {
  const before = await digest(run.app)
  const outcomes = await sendAll(run, cases)
  const after = await digest(run.app)
  run.report.digests += 1
  const allRefused = outcomes.every(({ reply }) => reply === null || reply.status >= 400)
  if (before === after || !allRefused) return outcomes
  const known = run.report.failures.length
  await findChanging(run, cases)
  const [first] = outcomes
  if (known === run.report.failures.length && first !== undefined) {
    const tables = changedTables(before, after).join()
    fail(run, first, `some refused request of this batch of ${cases.length} changed ${tables}`)
  }
  return outcomes
}

const tries = 3

/** What only the state refused is sent again, without those that it takes by now. */
async function repeatRefused(run: Run, outcomes: readonly Outcome[]): Promise<void> {
  let cases = outcomes.filter(({ reply }) => (reply?.status ?? 0) >= 400).map(({ sent }) => sent)
  for (let left = tries; left > 0 && cases.length > 0; left -= 1) {
    const again = await sendRefused(run, cases)
    run.report.repeated += again.length
    const refused = again.filter(({ reply }) => reply === null || reply.status >= 400)
    if (refused.length === again.length) return
    cases = refused.map(({ sent }) => sent)
  }
}

async function sendChunk(run: Run, world: World, cases: readonly FuzzCase[]): Promise<void> {
  await restoreLeaver(run, world)
  for (const outcome of await sendRefused(
    run,
    cases.filter((sent) => sent.refused),
  )) {
    record(run, outcome)
  }
  const open = await sendAll(
    run,
    cases.filter((sent) => !sent.refused),
  )
  for (const outcome of open) record(run, outcome)
  await repeatRefused(run, open)
}

const plans: readonly PlanKey[] = ['professional', 'enterprise', 'starter']
const perCompany = 2_000
const perChunk = 250

/** Sends `requests` hostile requests, a fresh company for every 2,000, and judges every reply. */
export async function runFuzz(
  app: TestApp,
  { requests, seed }: { requests: number; seed: number },
): Promise<FuzzReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const report: FuzzReport = {
    seed,
    requests: 0,
    repeated: 0,
    digests: 0,
    seconds: 0,
    slowest: { ms: 0, where: '' },
    statuses: {},
    codes: {},
    failures: [],
  }
  const run = { app, agent, report }
  const started = performance.now()
  for (let from = 0; from < requests; from += perCompany) {
    const world = await makeWorld(app, plans[(from / perCompany) % plans.length])
    const end = Math.min(requests, from + perCompany)
    for (let start = from; start < end; start += perChunk) {
      const length = Math.min(perChunk, end - start)
      const chunk = Array.from({ length }, (_, offset) => caseAt(world, { seed, index: start + offset }))
      await sendChunk(run, world, chunk)
    }
  }
  report.seconds = (performance.now() - started) / 1000
  agent.destroy()
  return report
}

/** Sends one request of a run on its own. */
export async function sendCase(app: TestApp, sent: FuzzCase): Promise<FuzzReply> {
  const agent = new Agent()
  const reply = await send(app.url, agent, sent)
  agent.destroy()
  return reply
}
