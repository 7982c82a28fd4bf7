import type {
  componentCounts,
  componentDetail,
  componentLabels,
  componentLedger,
  componentMovements,
  searchComponents,
} from '@inventory-manager/contract/stock/component-endpoints'
import type { getStockValue } from '@inventory-manager/contract/stock/cost-endpoints'
import type { countLowStock } from '@inventory-manager/contract/stock/placement-endpoints'
import type { listComponents } from '@inventory-manager/contract/stock/endpoints'
import type { listTransfers } from '@inventory-manager/contract/stock/transfer-endpoints'

type StockCall =
  | typeof componentCounts
  | typeof componentDetail
  | typeof componentLabels
  | typeof componentLedger
  | typeof componentMovements
  | typeof countLowStock
  | typeof getStockValue
  | typeof listComponents
  | typeof listTransfers
  | typeof searchComponents

/** The paths of what a change of stock or description shows in. The calls themselves would bring their shapes into each screen. */
export const stockPaths: readonly StockCall['path'][] = [
  '/api/components',
  '/api/components/counts',
  '/api/components/detail',
  '/api/components/labels',
  '/api/components/ledger',
  '/api/components/low',
  '/api/components/movements',
  '/api/components/search',
  '/api/components/stock-value',
  '/api/transfers',
]
