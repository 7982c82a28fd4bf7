import { countLowStock } from '@inventory-manager/contract/stock/placement-endpoints'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** How many components are low; 0 as long as nobody knows. */
export function useLow(): number {
  const { data } = useQuery({
    queryKey: [countLowStock.path],
    queryFn: ({ signal }) => call(countLowStock, {}, { signal }),
  })
  return data?.low ?? 0
}
