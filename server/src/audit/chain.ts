import { createHash } from 'node:crypto'
import type { AuditFault, AuditFaultKind } from '@inventory-manager/contract/audit/endpoints'
import { keepDoing, type Background } from '../platform/background.ts'
import type { Database } from '../platform/db/database.ts'
import { millisecondOf } from '../platform/db/time-ids.ts'
import { eachApart } from '../platform/each-apart.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import {
  findHead,
  findUnsealedEntry,
  listCompaniesToSeal,
  listDetached,
  listSealed,
  sealEntries,
  type Detached,
  type Sealed,
} from './chain-queries.ts'

/** How long entries wait for their seal, as a rule (decision 12). */
const sealEveryMs = 1_000
/** The least pause between looks for entries that no node has said it wrote. */
const lookEveryMs = 5_000
const sealedAtOnce = 2_000
const companiesAtOnce = 50
const checkedAtOnce = 5_000
const lookedAtOnce = 50_000

/** What the first seal follows. */
const beginning = Buffer.alloc(32)
const firstId = '00000000-0000-0000-0000-000000000000'

function hashOf(...parts: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

async function sealCompanies(database: Database, tenantIds: readonly string[]): Promise<void> {
  let waiting = tenantIds
  while (waiting.length > 0) waiting = await sealEntries(database, waiting, sealedAtOnce)
}

/** Seals everything of a company that is committed by now. Any number of nodes may; they take turns. */
export async function sealCompany(database: Database, tenantId: string): Promise<void> {
  await sealCompanies(database, [tenantId])
}

type Sealing = {
  database: Database
  notices: Pick<Notices, 'watch'>
  onSealed: (tenantIds: readonly string[]) => void
  onError: (error: unknown) => void
}

/**
 * Keeps sealing what is written: what this node writes each second, however many companies there are, and, looking through
 * all of them now and then, what nobody has said. One whose entries cannot be sealed holds up nobody else's.
 */
export function keepSealing({ database, notices, onSealed, onError }: Sealing): Background {
  const written = new Set<string>()
  const unwatch = notices.watch((tenantId) => written.add(tenantId))

  const sealApart = (companies: readonly string[]) =>
    eachApart(companies, (tenantId) => sealCompany(database, tenantId), onError)

  async function work(companies: readonly string[]): Promise<void> {
    for (let from = 0; from < companies.length; from += companiesAtOnce) {
      const some = companies.slice(from, from + companiesAtOnce)
      await sealCompanies(database, some).catch(() => sealApart(some))
      onSealed(some)
    }
  }

  const own = keepDoing({
    pauseMs: sealEveryMs,
    onError,
    look() {
      const companies = [...written]
      written.clear()
      return Promise.resolve(companies)
    },
    work,
  })
  const all = keepDoing({ pauseMs: lookEveryMs, onError, look: () => listCompaniesToSeal(database), work })
  return {
    async stop() {
      unwatch()
      await Promise.all([own.stop(), all.stop()])
    },
  }
}

function fault(kind: AuditFaultKind, at: { entryId: string | null; seq: number | null }): AuditFault {
  const timestamp = at.entryId === null ? null : new Date(millisecondOf(at.entryId)).toISOString()
  return { kind, entry_id: at.entryId, seq: at.seq, timestamp }
}

type ChainPlace = { seq: number; hash: Buffer }

const timeOf = ({ firstId, nextId }: Detached) => millisecondOf(nextId) - millisecondOf(firstId)

/**
 * Whose entries may be gone: as many as were detached, of the time they were of. Says of an entry that is gone whether it
 * is one of them. After a restore one part holds the whole past, and so also the times of quarters that were detached
 * before: an entry is taken to be of the shortest part.
 */
function excuse(detached: Detached[]): (entryId: string) => boolean {
  const parts = detached.map((part) => ({ ...part })).toSorted((one, other) => timeOf(one) - timeOf(other))
  return (entryId) => {
    const part = parts.find(
      ({ firstId, nextId, entries }) => entryId >= firstId && entryId < nextId && entries > 0,
    )
    if (part === undefined) return false
    part.entries -= 1
    return true
  }
}

/** What is wrong with a seal that should follow a place; null for a good one. */
function faultOf(
  seal: Sealed,
  before: ChainPlace,
  isDetached: (entryId: string) => boolean,
): AuditFault | null {
  if (seal.seq !== before.seq + 1) return fault('missing', { entryId: null, seq: before.seq + 1 })
  if (seal.text === null) {
    if (!isDetached(seal.entryId)) return fault('missing', seal)
  } else if (!hashOf(seal.text).equals(seal.entryHash)) return fault('changed', seal)
  return hashOf(before.hash, seal.entryHash).equals(seal.hash) ? null : fault('reordered', seal)
}

/** A place of the chain as it was noted earlier, its hash in hex. */
export type KnownPlace = { seq: number; hash: string }

/** `checked`: entries compared with their seals; `detached`: entries put aside, of which only the seals were looked at. */
export type Verification = {
  checked: number
  detached: number
  head: KnownPlace | null
  fault: AuditFault | null
}

/** Whether a place is another than the one that was noted under its number. */
function contradicts(known: KnownPlace | null, place: ChainPlace): boolean {
  return known?.seq === place.seq && known.hash !== place.hash.toString('hex')
}

/** Compares the seals with the entries and with each other, in parts: memory stays flat however long the trail. */
async function verifySeals(
  database: Database,
  tenantId: string,
  known: KnownPlace | null,
): Promise<ChainPlace & { detached: number; fault: AuditFault | null }> {
  const isDetached = excuse(await database.inTenant(tenantId, listDetached))
  let detached = 0
  let place: ChainPlace = { seq: 0, hash: beginning }
  for (;;) {
    const seals = await database.inTenant(tenantId, (tx) => listSealed(tx, place.seq, checkedAtOnce))
    for (const seal of seals) {
      const found = faultOf(seal, place, isDetached)
      if (found !== null) return { ...place, detached, fault: found }
      if (seal.text === null) detached += 1
      place = { seq: seal.seq, hash: seal.hash }
      if (contradicts(known, place)) return { ...place, detached, fault: fault('reordered', seal) }
    }
    if (seals.length < checkedAtOnce) break
  }
  const cutOff = known !== null && known.seq > place.seq
  const missing = cutOff ? fault('missing', { entryId: null, seq: place.seq + 1 }) : null
  return { ...place, detached, fault: missing }
}

/** The first entry that should have a seal by now and has none: it was put in later. */
async function findInserted(database: Database, tenantId: string): Promise<AuditFault | null> {
  const head = await database.inTenant(tenantId, findHead)
  if (head === null) return null
  const below = head.settledBelow
  for (let after: string | null = firstId; after !== null;) {
    const from: string = after
    const { unsealed, last } = await database.inTenant(tenantId, (tx) =>
      findUnsealedEntry(tx, { after: from, below, limit: lookedAtOnce }),
    )
    if (unsealed !== null) return fault('inserted', { entryId: unsealed, seq: null })
    after = last
  }
  return null
}

/** Seals what waits, then checks a company's whole trail; names the first bad entry (decision 12). */
export async function verifyTrail(
  database: Database,
  tenantId: string,
  known: KnownPlace | null = null,
): Promise<Verification> {
  await sealCompany(database, tenantId)
  const { fault: inChain, detached, ...place } = await verifySeals(database, tenantId, known)
  return {
    checked: place.seq - detached,
    detached,
    head: place.seq === 0 ? null : { seq: place.seq, hash: place.hash.toString('hex') },
    fault: inChain ?? (await findInserted(database, tenantId)),
  }
}
