import type { CycleCount } from '@inventory-manager/contract/counting/record-endpoints'
import { partialMatchKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { CountList } from './count-list.ts'

/** Does to a list what has become known since; gives the list itself where that is nothing. */
type Change<Base> = <L extends Base>(list: L) => L

type Load<Base> = { client: QueryClient; queryKey: QueryKey; changes: Change<Base>[] }

/** Lists that change while they are loaded: what is on its way may have been read before a change, and is changed, too. */
function createChangingLists<Base>() {
  const loads = new Set<Load<Base>>()
  return {
    /** Changes the lists whose keys begin with this one. */
    change(client: QueryClient, queryKey: QueryKey, change: Change<Base>): void {
      client.setQueriesData<Base>({ queryKey }, (list) => list && change(list))
      for (const load of loads) {
        if (load.client === client && partialMatchKey(load.queryKey, queryKey)) load.changes.push(change)
      }
    },
    /** What is read, with the changes since reading began. */
    async load<L extends Base>(
      { client, queryKey }: Pick<Load<Base>, 'client' | 'queryKey'>,
      read: () => Promise<L>,
    ): Promise<L> {
      const load: Load<Base> = { client, queryKey, changes: [] }
      loads.add(load)
      try {
        const list = await read()
        return load.changes.reduce((changed, change) => change(changed), list)
      } finally {
        loads.delete(load)
      }
    },
  }
}

/** The lists of what is to be counted in a month, by location. */
export const monthLists = createChangingLists<CountList>()

/** The lists of what is to be counted on a weekday, by location and day. */
export const dayLists = createChangingLists<Pick<CountList, 'components'>>()

/** The cycles of the administrators, by location. */
export const cycleLists = createChangingLists<{ cycle_counts: CycleCount[] }>()
