import * as analytics from './analytics/endpoints.ts'
import * as accounts from './accounts/endpoints.ts'
import * as audit from './audit/endpoints.ts'
import * as counting from './counting/endpoints.ts'
import * as records from './counting/record-endpoints.ts'
import * as discrepancies from './discrepancies/endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import * as events from './events/endpoints.ts'
import * as labels from './labels/endpoints.ts'
import * as overview from './overview/endpoints.ts'
import * as stock from './stock/endpoints.ts'

/** Every call of the HTTP interface by name, for OpenAPI and for the tests that must miss none. */
export const allEndpoints = {
  registerTenant: accounts.registerTenant,
  login: accounts.login,
  logout: accounts.logout,
  changePassword: accounts.changePassword,
  tenantContext: accounts.tenantContext,
  whoAmI: accounts.whoAmI,
  dashboard: overview.dashboard,
  health: overview.health,
  live: overview.live,
  ready: overview.ready,
  listComponents: stock.listComponents,
  importComponents: stock.importComponents,
  updateQuantity: stock.updateQuantity,
  findByBarcode: stock.findByBarcode,
  configureHighVolume: stock.configureHighVolume,
  bulkHighVolume: stock.bulkHighVolume,
  migrateHighVolume: stock.migrateHighVolume,
  highVolumeForDay: counting.highVolumeForDay,
  listWithCountStatus: counting.listWithCountStatus,
  recordCount: counting.recordCount,
  resetCounts: counting.resetCounts,
  resetWeeklyDay: counting.resetWeeklyDay,
  componentHistory: counting.componentHistory,
  listHistory: counting.listHistory,
  addHistory: counting.addHistory,
  listWeeklyCounts: records.listWeeklyCounts,
  saveWeeklyCount: records.saveWeeklyCount,
  deleteWeeklyCount: records.deleteWeeklyCount,
  listCycleCounts: records.listCycleCounts,
  saveCycleCount: records.saveCycleCount,
  deleteCycleCount: records.deleteCycleCount,
  listDiscrepancies: discrepancies.listDiscrepancies,
  decideDiscrepancies: discrepancies.decideDiscrepancies,
  progressOverTime: analytics.progressOverTime,
  topScannedSkus: analytics.topScannedSkus,
  skuByLocation: analytics.skuByLocation,
  weeklyTrends: analytics.weeklyTrends,
  generateLabels: labels.generateLabels,
  streamEvents: events.streamEvents,
  logAudit: audit.logAudit,
  listAuditTrail: audit.listAuditTrail,
} as const satisfies Record<string, Endpoint>
