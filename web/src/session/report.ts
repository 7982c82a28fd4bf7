import { logAudit } from '@inventory-manager/contract/audit/report-endpoints'
import { call, type CallOptions } from '../api/client.ts'

type Report = { sku: string; location?: string; metadata?: Record<string, unknown> }

/** Reports what only this page knows to the audit trail. A failure must not stop anybody: it answers false. */
export async function report(event: Report, options: CallOptions = {}): Promise<boolean> {
  try {
    await call(logAudit, { body: { source: 'screen', ...event } }, options)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
