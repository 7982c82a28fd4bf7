import type { SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import type { Location } from '@inventory-manager/contract/locations'
import { lazy, type ComponentType } from 'react'
import { paths } from '../lib/paths.ts'

/** Where the link to a screen stands: in the bar, in the administrators' menu, with the person, or nowhere. */
type Group = 'bar' | 'administration' | 'person' | 'nowhere'

type Screen = {
  /** Its address; a part that begins with a colon stands for anything. */
  path: string
  label: string
  group: Group
  /** Who and where it is for; everybody and everywhere when left out. */
  only?: 'administrators' | 'staff' | 'weekly_locations'
  /** With what others do at the location, and what they are asked to, above it. */
  onTheFloor?: true
  Content: ComponentType
}

const ExportsScreen = lazy(async () => ({
  default: (await import('../exports/exports-screen.tsx')).ExportsScreen,
}))

/** Every screen behind sign-in, in the order of the navigation; each loads when it is opened. */
const screens: readonly Screen[] = [
  {
    path: paths.overview,
    label: 'Overview',
    group: 'bar',
    Content: lazy(async () => ({
      default: (await import('../overview/overview-screen.tsx')).OverviewScreen,
    })),
  },
  {
    path: paths.graphs,
    label: 'Analytics',
    group: 'bar',
    Content: lazy(async () => ({ default: (await import('../analytics/graphs-screen.tsx')).GraphsScreen })),
  },
  {
    path: paths.generateLabels,
    label: 'Generate Labels',
    group: 'bar',
    Content: lazy(async () => ({
      default: (await import('../labels/generate-labels-screen.tsx')).GenerateLabelsScreen,
    })),
  },
  {
    path: paths.printSettings,
    label: 'Print Labels',
    group: 'bar',
    Content: lazy(async () => ({
      default: (await import('../labels/print-labels-screen.tsx')).PrintLabelsScreen,
    })),
  },
  {
    path: paths.monthlyCount,
    label: 'Monthly Count',
    group: 'bar',
    onTheFloor: true,
    Content: lazy(async () => ({
      default: (await import('../counting/monthly-count-screen.tsx')).MonthlyCountScreen,
    })),
  },
  {
    path: paths.weeklyCount,
    label: 'Weekly Count',
    group: 'bar',
    only: 'weekly_locations',
    onTheFloor: true,
    Content: lazy(async () => ({
      default: (await import('../counting/weekly-count-screen.tsx')).WeeklyCountScreen,
    })),
  },
  {
    path: paths.components,
    label: 'Components',
    group: 'bar',
    Content: lazy(async () => ({
      default: (await import('../stock/components-screen.tsx')).ComponentsScreen,
    })),
  },
  {
    path: paths.component,
    label: 'Component',
    group: 'nowhere',
    Content: lazy(async () => ({
      default: (await import('../stock/component-screen.tsx')).ComponentScreen,
    })),
  },
  {
    path: paths.auditTrail,
    label: 'Audit Trail',
    group: 'bar',
    Content: lazy(async () => ({ default: (await import('../audit/audit-screen.tsx')).AuditScreen })),
  },
  {
    path: paths.discrepancies,
    label: 'Discrepancies',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({
      default: (await import('../discrepancies/discrepancies-screen.tsx')).DiscrepanciesScreen,
    })),
  },
  {
    path: paths.accuracy,
    label: 'Accuracy',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({
      default: (await import('../accuracy/accuracy-screen.tsx')).AccuracyScreen,
    })),
  },
  {
    path: paths.unknownCodes,
    label: 'Unknown Codes',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({
      default: (await import('../unknown-codes/unknown-codes-screen.tsx')).UnknownCodesScreen,
    })),
  },
  {
    path: paths.countRoom,
    label: 'Live Count Room',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({
      default: (await import('../counting/count-room-screen.tsx')).CountRoomScreen,
    })),
  },
  {
    path: paths.importComponents,
    label: 'Import',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({ default: (await import('../imports/import-screen.tsx')).ImportScreen })),
  },
  {
    path: paths.exports,
    label: 'Exports',
    group: 'administration',
    only: 'administrators',
    Content: ExportsScreen,
  },
  {
    // Staff come here from the components, which are all they may export.
    path: paths.exports,
    label: 'Exports',
    group: 'nowhere',
    only: 'staff',
    Content: ExportsScreen,
  },
  {
    path: paths.team,
    label: 'Team',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({ default: (await import('../accounts/team-screen.tsx')).TeamScreen })),
  },
  {
    path: paths.plan,
    label: 'Plan and Billing',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({ default: (await import('../company/plan-screen.tsx')).PlanScreen })),
  },
  {
    path: paths.settings,
    label: 'Company Settings',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({
      default: (await import('../company/settings-screen.tsx')).SettingsScreen,
    })),
  },
  {
    path: paths.apiAccess,
    label: 'API Access',
    group: 'administration',
    only: 'administrators',
    Content: lazy(async () => ({
      default: (await import('../api-access/api-access-screen.tsx')).ApiAccessScreen,
    })),
  },
  {
    path: paths.account,
    label: 'Account',
    group: 'person',
    Content: lazy(async () => ({ default: (await import('../accounts/account-screen.tsx')).AccountScreen })),
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
