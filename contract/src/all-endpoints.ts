import * as accuracy from './accuracy/endpoints.ts'
import * as analytics from './analytics/endpoints.ts'
import * as apiKeys from './api-keys/endpoints.ts'
import * as account from './accounts/account-endpoints.ts'
import * as accounts from './accounts/endpoints.ts'
import * as links from './accounts/link-endpoints.ts'
import * as team from './accounts/team-endpoints.ts'
import * as audit from './audit/endpoints.ts'
import { logAudit } from './audit/report-endpoints.ts'
import { getCompany } from './company/company-endpoints.ts'
import * as plan from './company/plan-endpoints.ts'
import { setLabelLogo } from './company/label-logo-endpoints.ts'
import { changeSettings, deleteLogo, setLogo } from './company/settings-change-endpoints.ts'
import { getLogo, getSettings } from './company/settings-endpoints.ts'
import * as assignments from './counting/assignments/assignment-endpoints.ts'
import * as spotCounts from './counting/spot/spot-count-endpoints.ts'
import * as spotSchedules from './counting/spot/spot-schedule-endpoints.ts'
import * as counting from './counting/endpoints.ts'
import * as history from './counting/history-endpoints.ts'
import { countSheet } from './counting/sheet-endpoints.ts'
import * as records from './counting/record-endpoints.ts'
import * as notes from './counting/note-endpoints.ts'
import * as undo from './counting/undo-endpoints.ts'
import * as weeklyRecords from './counting/weekly-record-endpoints.ts'
import * as room from './counting/room-endpoints.ts'
import * as discrepancies from './discrepancies/endpoints.ts'
import * as recounts from './discrepancies/recount-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import * as events from './events/endpoints.ts'
import * as labels from './labels/endpoints.ts'
import * as overview from './overview/endpoints.ts'
import * as exported from './exports/endpoints.ts'
import * as imports from './imports/endpoints.ts'
import * as adjusting from './stock/adjust-endpoints.ts'
import * as aliases from './stock/alias-endpoints.ts'
import * as components from './stock/component-endpoints.ts'
import { getStockValue, setUnitCosts } from './stock/cost-endpoints.ts'
import { countKept, keepComponents } from './stock/kept-endpoints.ts'
import { countLowStock, placeComponents } from './stock/placement-endpoints.ts'
import { listMovements } from './stock/movement-endpoints.ts'
import * as retiring from './stock/retire-endpoints.ts'
import { suggestHighVolume } from './stock/suggestion-endpoints.ts'
import * as transfers from './stock/transfer-endpoints.ts'
import * as stock from './stock/endpoints.ts'
import * as webhooks from './webhooks/endpoints.ts'
import * as unknownCodes from './unknown-codes/endpoints.ts'

/** Every call of the HTTP interface by name, for OpenAPI and for the tests that must miss none. */
export const allEndpoints = {
  registerTenant: accounts.registerTenant,
  login: accounts.login,
  logout: accounts.logout,
  changePassword: accounts.changePassword,
  tenantContext: accounts.tenantContext,
  readLink: links.readLink,
  acceptInvitation: links.acceptInvitation,
  forgotPassword: links.forgotPassword,
  resetPassword: links.resetPassword,
  confirmEmail: links.confirmEmail,
  getTeam: team.getTeam,
  invite: team.invite,
  revokeInvitation: team.revokeInvitation,
  changeRole: team.changeRole,
  deactivateUser: team.deactivateUser,
  reactivateUser: team.reactivateUser,
  signOutEverywhere: team.signOutEverywhere,
  makePasswordLink: team.makePasswordLink,
  listOwnSessions: account.listOwnSessions,
  changeName: account.changeName,
  endOwnSession: account.endOwnSession,
  endOtherSessions: account.endOtherSessions,
  sendConfirmation: account.sendConfirmation,
  getPlanState: plan.getPlanState,
  changePlan: plan.changePlan,
  openBillingPortal: plan.openBillingPortal,
  getCompany,
  getSettings,
  changeSettings,
  setLogo,
  getLogo,
  setLabelLogo,
  deleteLogo,
  whoAmI: accounts.whoAmI,
  dashboard: overview.dashboard,
  health: overview.health,
  live: overview.live,
  ready: overview.ready,
  listComponents: stock.listComponents,
  importComponents: stock.importComponents,
  updateQuantity: stock.updateQuantity,
  adjustQuantity: adjusting.adjustQuantity,
  findByBarcode: stock.findByBarcode,
  configureHighVolume: stock.configureHighVolume,
  bulkHighVolume: stock.bulkHighVolume,
  migrateHighVolume: stock.migrateHighVolume,
  placeComponents,
  keepComponents,
  countKept,
  setUnitCosts,
  suggestHighVolume,
  getStockValue,
  countLowStock,
  searchComponents: components.searchComponents,
  componentDetail: components.componentDetail,
  componentMovements: components.componentMovements,
  listMovements,
  componentCounts: components.componentCounts,
  componentLabels: components.componentLabels,
  componentLedger: components.componentLedger,
  describeComponent: components.describeComponent,
  retireComponent: retiring.retireComponent,
  reinstateComponent: retiring.reinstateComponent,
  addBarcode: aliases.addBarcode,
  removeBarcode: aliases.removeBarcode,
  findPacks: aliases.findPacks,
  sendTransfer: transfers.sendTransfer,
  receiveTransfer: transfers.receiveTransfer,
  receiveTransfers: transfers.receiveTransfers,
  cancelTransfer: transfers.cancelTransfer,
  writeOffTransfer: transfers.writeOffTransfer,
  listTransfers: transfers.listTransfers,
  createImport: imports.createImport,
  stageRows: imports.stageRows,
  previewImport: imports.previewImport,
  listImportRows: imports.listImportRows,
  commitImport: imports.commitImport,
  cancelImport: imports.cancelImport,
  undoImport: imports.undoImport,
  listImports: imports.listImports,
  exportComponents: exported.exportComponents,
  exportStockAt: exported.exportStockAt,
  exportCounts: exported.exportCounts,
  exportMovements: exported.exportMovements,
  exportDiscrepancies: exported.exportDiscrepancies,
  exportAudit: exported.exportAudit,
  exportArchive: exported.exportArchive,
  highVolumeForDay: counting.highVolumeForDay,
  listToCount: counting.listToCount,
  countSheet,
  listWithCountStatus: counting.listWithCountStatus,
  recordCount: counting.recordCount,
  undoCount: undo.undoCount,
  noteCount: notes.noteCount,
  resetCounts: counting.resetCounts,
  resetWeeklyDay: counting.resetWeeklyDay,
  componentHistory: history.componentHistory,
  listHistory: history.listHistory,
  addHistory: history.addHistory,
  listWeeklyCounts: weeklyRecords.listWeeklyCounts,
  saveWeeklyCount: weeklyRecords.saveWeeklyCount,
  deleteWeeklyCount: weeklyRecords.deleteWeeklyCount,
  listCycleCounts: records.listCycleCounts,
  saveCycleCount: records.saveCycleCount,
  deleteCycleCount: records.deleteCycleCount,
  listDiscrepancies: discrepancies.listDiscrepancies,
  decideDiscrepancies: discrepancies.decideDiscrepancies,
  reopenDiscrepancy: discrepancies.reopenDiscrepancy,
  listRecounts: recounts.listRecounts,
  listUnknownCodes: unknownCodes.listUnknownCodes,
  decideUnknownCodes: unknownCodes.decideUnknownCodes,
  createFromUnknownCode: unknownCodes.createFromUnknownCode,
  countRoom: room.countRoom,
  listAssignments: assignments.listAssignments,
  assignCounter: assignments.assignCounter,
  unassignCounter: assignments.unassignCounter,
  listAisles: assignments.listAisles,
  getMyBins: assignments.getMyBins,
  listSpotCounts: spotCounts.listSpotCounts,
  askSpotCount: spotCounts.askSpotCount,
  takeBackSpotCount: spotCounts.takeBackSpotCount,
  listSpotSkus: spotCounts.listSpotSkus,
  suggestSpotCount: spotCounts.suggestSpotCount,
  listSpotSchedules: spotSchedules.listSpotSchedules,
  scheduleSpotCounts: spotSchedules.scheduleSpotCounts,
  endSpotSchedule: spotSchedules.endSpotSchedule,
  progressOverTime: analytics.progressOverTime,
  topScannedSkus: analytics.topScannedSkus,
  skuByLocation: analytics.skuByLocation,
  weeklyTrends: analytics.weeklyTrends,
  getAccuracy: accuracy.getAccuracy,
  listCountSessions: accuracy.listCountSessions,
  countCertificate: accuracy.countCertificate,
  generateLabels: labels.generateLabels,
  calibrationPage: labels.calibrationPage,
  commandSheet: labels.commandSheet,
  binLabels: labels.binLabels,
  labelSymbol: labels.labelSymbol,
  listLabelled: labels.listLabelled,
  getLabelLogo: labels.getLabelLogo,
  streamEvents: events.streamEvents,
  logAudit,
  listAuditTrail: audit.listAuditTrail,
  verifyAuditTrail: audit.verifyAuditTrail,
  listApiKeys: apiKeys.listApiKeys,
  createApiKey: apiKeys.createApiKey,
  revokeApiKey: apiKeys.revokeApiKey,
  listWebhooks: webhooks.listWebhooks,
  createWebhook: webhooks.createWebhook,
  enableWebhook: webhooks.enableWebhook,
  testWebhook: webhooks.testWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  listDeliveries: webhooks.listDeliveries,
  replayDelivery: webhooks.replayDelivery,
} as const satisfies Record<string, Endpoint>
