import { Suspense, useState } from 'react'
import { useOutboxState } from '../count-entries.ts'
import { unsettledLists } from '../parts.ts'

/** The lists of what waits for a person, from the first such entry on: they know where the focus goes when one is empty. */
export function Unsettled() {
  const { refused, notTakenBack, notNoted } = useOutboxState()
  const [isWanted, setWanted] = useState(false)
  if (refused.length + notTakenBack.length + notNoted.length > 0 && !isWanted) setWanted(true)
  if (!isWanted) return null
  return (
    <Suspense fallback={null}>
      <unsettledLists.Content />
    </Suspense>
  )
}
