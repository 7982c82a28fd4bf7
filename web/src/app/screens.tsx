import type { SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import type { Location } from '@inventory-manager/contract/locations'
import { paths } from '../lib/paths.ts'
import { part, type Part } from '../ui/part.tsx'

/** Where the link to a screen stands: in the bar, in the administrators' menu, with the person, or nowhere. */
type Group = 'bar' | 'administration' | 'person' | 'nowhere'

type Screen = Part<object> & {
  /** Its address; a part that begins with a colon stands for anything. */
  path: string
  label: string
  group: Group
  /** The address of the screen whose link is marked here, where this one has no link of its own. */
  under?: string
  /** Who and where it is for; everybody and everywhere when left out. */
  only?: 'administrators' | 'staff' | 'weekly_locations'
  /** With what others do at the location, and what they are asked to, above it. */
  onTheFloor?: true
}

const exportsScreen = part(async () => (await import('../exports/exports-screen.tsx')).ExportsScreen)

/** Every screen behind sign-in, in the order of the navigation; each loads when it is opened. */
const screens: readonly Screen[] = [
  {
    path: paths.overview,
    label: 'Overview',
    group: 'bar',
    ...part(async () => (await import('../overview/overview-screen.tsx')).OverviewScreen),
  },
  {
    path: paths.graphs,
    label: 'Analytics',
    group: 'bar',
    ...part(async () => (await import('../analytics/graphs-screen.tsx')).GraphsScreen),
  },
  {
    path: paths.generateLabels,
    label: 'Generate Labels',
    group: 'bar',
    ...part(async () => (await import('../labels/generate-labels-screen.tsx')).GenerateLabelsScreen),
  },
  {
    path: paths.printSettings,
    label: 'Print Labels',
    group: 'bar',
    ...part(async () => (await import('../labels/print-labels-screen.tsx')).PrintLabelsScreen),
  },
  {
    path: paths.monthlyCount,
    label: 'Monthly Count',
    group: 'bar',
    onTheFloor: true,
    ...part(async () => (await import('../counting/monthly-count-screen.tsx')).MonthlyCountScreen),
  },
  {
    path: paths.weeklyCount,
    label: 'Weekly Count',
    group: 'bar',
    only: 'weekly_locations',
    onTheFloor: true,
    ...part(async () => (await import('../counting/weekly-count-screen.tsx')).WeeklyCountScreen),
  },
  {
    path: paths.components,
    label: 'Components',
    group: 'bar',
    ...part(async () => (await import('../stock/components-screen.tsx')).ComponentsScreen),
  },
  {
    path: paths.component,
    label: 'Component',
    group: 'nowhere',
    under: paths.components,
    ...part(async () => (await import('../stock/component-screen.tsx')).ComponentScreen),
  },
  {
    path: paths.changeComponents,
    label: 'Change Several Components',
    group: 'nowhere',
    under: paths.components,
    only: 'administrators',
    ...part(async () => (await import('../stock/several-screen.tsx')).SeveralScreen),
  },
  {
    path: paths.transfers,
    label: 'Transfers',
    group: 'nowhere',
    under: paths.components,
    ...part(async () => (await import('../stock/transfers-screen.tsx')).TransfersScreen),
  },
  {
    path: paths.auditTrail,
    label: 'Audit Trail',
    group: 'bar',
    ...part(async () => (await import('../audit/audit-screen.tsx')).AuditScreen),
  },
  {
    path: paths.discrepancies,
    label: 'Discrepancies',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../discrepancies/discrepancies-screen.tsx')).DiscrepanciesScreen),
  },
  {
    path: paths.accuracy,
    label: 'Accuracy',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../accuracy/accuracy-screen.tsx')).AccuracyScreen),
  },
  {
    path: paths.unknownCodes,
    label: 'Unknown Codes',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../unknown-codes/unknown-codes-screen.tsx')).UnknownCodesScreen),
  },
  {
    path: paths.countRoom,
    label: 'Live Count Room',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../counting/count-room-screen.tsx')).CountRoomScreen),
  },
  {
    path: paths.importComponents,
    label: 'Import',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../imports/import-screen.tsx')).ImportScreen),
  },
  {
    path: paths.exports,
    label: 'Exports',
    group: 'administration',
    only: 'administrators',
    ...exportsScreen,
  },
  {
    // Staff come here from the components, which are all they may export.
    path: paths.exports,
    label: 'Exports',
    group: 'nowhere',
    only: 'staff',
    ...exportsScreen,
  },
  {
    path: paths.team,
    label: 'Team',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../accounts/team-screen.tsx')).TeamScreen),
  },
  {
    path: paths.plan,
    label: 'Plan and Billing',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../company/plan-screen.tsx')).PlanScreen),
  },
  {
    path: paths.settings,
    label: 'Company Settings',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../company/settings-screen.tsx')).SettingsScreen),
  },
  {
    path: paths.apiAccess,
    label: 'API Access',
    group: 'administration',
    only: 'administrators',
    ...part(async () => (await import('../api-access/api-access-screen.tsx')).ApiAccessScreen),
  },
  {
    path: paths.account,
    label: 'Account',
    group: 'person',
    ...part(async () => (await import('../accounts/account-screen.tsx')).AccountScreen),
  },
]

/** The screens this person has at this location; any other path leads to the overview. */
export function screensFor(user: SignedInUser, location: Location): readonly Screen[] {
  const has = {
    administrators: user.role === 'admin',
    staff: user.role !== 'admin',
    weekly_locations: location.supportsWeeklyCount,
  }
  return screens.filter(({ only }) => only === undefined || has[only])
}

/** The screen that an address names, whoever may open it. */
export function screenAt(address: string): Screen | undefined {
  const [asked = ''] = address.split('?')
  return screens.find(({ path }) => {
    const [fixed = '', open] = path.split(':')
    return open === undefined ? asked === path : asked.startsWith(fixed)
  })
}
