import type { Movement } from '@inventory-manager/contract/stock/component-endpoints'
import { seesVerdicts, type Sight } from '../audit/sight.ts'

type Row = Omit<Movement, 'timestamp' | 'delta'> & { delta: number; created_at: Date }

/** That a count was accepted is a verdict on it, and so is by how much. */
export function presentMovement<R extends Row>({ created_at: at, ...row }: R, sight: Sight) {
  const isHidden = row.cause === 'discrepancy' && !seesVerdicts(sight)
  return {
    ...row,
    ...(isHidden ? { cause: 'hidden', note: '', delta: null } : {}),
    timestamp: at.toISOString(),
  }
}
