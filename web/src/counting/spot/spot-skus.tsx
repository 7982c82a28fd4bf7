import { Suspense, useEffect, useState, type ComponentProps } from 'react'
import { onceShown } from '../../lib/in-passing.ts'
import { part } from '../../ui/part.tsx'
import type { SpotList } from './spot-list.tsx'

/** Apart, because nobody needs it to begin. */
const spotList = part(
  async () => (await import('./spot-list.tsx')).SpotList,
  () => null,
)

/** What of a location is to be counted for a spot count, as soon as the list of all is on the screen. */
export function SpotSkus(props: ComponentProps<typeof SpotList>) {
  const [isWanted, setWanted] = useState(spotList.isHere)
  useEffect(
    () =>
      onceShown(async () => {
        await Promise.allSettled([spotList.load()])
        // Where it did not arrive it is asked for again.
        setWanted(true)
      }),
    [],
  )
  if (!isWanted) return null
  return (
    <Suspense>
      <spotList.Content {...props} />
    </Suspense>
  )
}
