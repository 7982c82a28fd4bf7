import { EntriesToDecide } from './entries-to-decide.tsx'
import { NotTakenBack } from './not-taken-back.tsx'

/** What the server did not take, and what it did not take back: of all this person's counts on this device. */
export function UnsettledLists() {
  return (
    <>
      <EntriesToDecide />
      <NotTakenBack />
    </>
  )
}
