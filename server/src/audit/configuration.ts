import type { Tx } from '../platform/db/database.ts'
import type { AuditEvent } from './events.ts'
import { recordAudit, recordAudits, type AuditActor } from './queries.ts'

/** A change of what the company is set to: what happened, where, and its facts. */
type ConfigurationChange = { event: AuditEvent; source: string; sku?: string } & Record<string, unknown>

/** Records who changed what of the company's configuration, in the transaction of the change. */
export async function recordConfigurationChange(
  tx: Tx,
  actor: AuditActor,
  { event, source, sku, ...facts }: ConfigurationChange,
): Promise<void> {
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event,
    ...(sku === undefined ? {} : { sku }),
    source,
    metadata: { type: 'config_change', ...facts },
  })
}

type ComponentChange = { event: AuditEvent; sku: string; facts?: Record<string, unknown> }

/** Records who changed what of a component on its page, in the transaction of the change. */
export async function recordComponentChange(
  tx: Tx,
  actor: AuditActor,
  { event, sku, facts = {} }: ComponentChange,
): Promise<void> {
  await recordAudit(tx, actor, { kind: 'configuration', event, sku, source: 'screen', metadata: facts })
}

type ComponentChanges = {
  event: AuditEvent
  source: string
  entries: { sku: string; location?: string; facts: Record<string, unknown> }[]
}

/** As recordComponentChange, of several components. */
export async function recordComponentChanges(
  tx: Tx,
  actor: AuditActor,
  { event, source, entries }: ComponentChanges,
): Promise<void> {
  const changes = entries.map(({ facts, ...of }) => ({
    ...of,
    kind: 'configuration' as const,
    event,
    source,
    metadata: facts,
  }))
  await recordAudits(tx, actor, changes)
}

/** Of more components at once only their number stands in the trail, with what changed them. */
export const mostSkusNamed = 500

type ImportedValues = {
  event: AuditEvent
  changes: { sku: string; location?: string; before: unknown; after: unknown }[]
  facts?: Record<string, unknown>
}

/** Records what an import made of what is said of each component, unless they are more than are named. */
export async function recordImportedValues(
  tx: Tx,
  actor: AuditActor,
  { event, changes, facts = {} }: ImportedValues,
): Promise<void> {
  if (changes.length === 0 || changes.length > mostSkusNamed) return
  const entries = changes.map(({ before, after, ...of }) => ({
    ...of,
    facts: { old_value: before, new_value: after, ...facts },
  }))
  await recordComponentChanges(tx, actor, { event, source: 'import', entries })
}

type ImportedChange = { event: AuditEvent; skus: string[]; facts?: Record<string, unknown> }

/** Records each component that an import changed beside its rows, unless they are more than are named. */
export async function recordImportedChange(
  tx: Tx,
  actor: AuditActor,
  { event, skus, facts = {} }: ImportedChange,
): Promise<void> {
  if (skus.length === 0 || skus.length > mostSkusNamed) return
  const entries = skus.map((sku) => ({ sku, facts }))
  await recordComponentChanges(tx, actor, { event, source: 'import', entries })
}
