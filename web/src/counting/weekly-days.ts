import { locations } from '@inventory-manager/contract/locations'
import { weekDays } from '@inventory-manager/contract/stock/rules'
import type { ListedComponent } from './count-list.ts'

/** On which days a component is counted weekly, and where, in words. */
export function weeklyDays(config: ListedComponent['high_volume_config']): string {
  const parts = locations.map(({ code, name }) => {
    const days = weekDays.filter((day) => config?.[day]?.includes(code))
    return days.length === 0 ? '' : `${days.join(', ')} at ${name}`
  })
  return parts.filter((part) => part !== '').join('; ')
}
