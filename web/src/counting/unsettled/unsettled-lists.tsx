import { EntriesToDecide } from './entries-to-decide.tsx'
import { NotNoted } from './not-noted.tsx'
import { NotTakenBack } from './not-taken-back.tsx'

/** What the server did not take, what it did not take back, and which notes it did not take: of all this person's counts on this device. */
export function UnsettledLists() {
  return (
    <>
      <EntriesToDecide />
      <NotTakenBack />
      <NotNoted />
    </>
  )
}
