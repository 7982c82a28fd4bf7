import { locations } from '@inventory-manager/contract/locations'
import { weekDays } from '@inventory-manager/contract/stock/rules'
import { placeName } from '../session/place-names.ts'
import type { ListedComponent } from './count-list.ts'

/** On which days a component is counted weekly, and where, in words. */
export function weeklyDays(config: ListedComponent['high_volume_config']): string {
  const parts = locations.map(({ code }) => {
    const days = weekDays.filter((day) => config?.[day]?.includes(code))
    return days.length === 0 ? '' : `${days.join(', ')} at ${placeName(code)}`
  })
  return parts.filter((part) => part !== '').join('; ')
}
