import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { Banner } from '../ui/banner.tsx'
import { useEntryCounts, useOutboxState } from './count-entries.ts'

/** What to know about scans that are not on the server: of other counts, or kept by nothing but this page. */
export function QueueNotices({ session }: { session: string }) {
  const { isDurable } = useOutboxState()
  const { toSend, toTakeBack } = useEntryCounts(session).elsewhere
  return (
    <>
      {!isDurable && <Banner tone="bad">{entryMessages.keptByPage}</Banner>}
      {toSend > 0 && (
        <Banner tone="info">
          {howMany(
            toSend,
            'scan of another count waits on this device and is sent in its turn.',
            'scans of other counts wait on this device and are sent in their turn.',
          )}
        </Banner>
      )}
      {toTakeBack > 0 && (
        <Banner tone="info">
          {howMany(toTakeBack, 'scan of another count is', 'scans of other counts are')} still to be taken
          back. That is done in its turn.
        </Banner>
      )}
    </>
  )
}
