import type { Tx } from '../platform/db/database.ts'
import type { AuditEvent } from './events.ts'
import { recordAudit, type AuditActor } from './queries.ts'

/** A person as the trail names who did something, where nobody is signed in yet. */
export function auditActorOf({ id, role, name }: { id: string; role: string; name: string }): AuditActor {
  return { userId: id, role, userName: name }
}

type Authentication = { event: AuditEvent } & Record<string, unknown>

/** Records who signed in or out, proved who they are or was refused, in the transaction of that: what happened, and its facts. */
export async function recordAuthentication(
  tx: Tx,
  actor: AuditActor,
  { event, ...facts }: Authentication,
): Promise<void> {
  await recordAudit(tx, actor, {
    kind: 'authentication',
    event,
    source: 'authentication',
    metadata: { type: 'auth_event', ...facts },
  })
}
