import { resetCounts } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { ApiError, isPassing, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { placeName } from '../session/place-names.ts'
import { report } from '../session/report.ts'
import { useLocatedSession } from '../session/session.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Page } from '../ui/page.tsx'
import { CountDone, isAllCounted } from './certificate-link.tsx'
import { ComponentList } from './component-list.tsx'
import { CountFrame } from './count-frame.tsx'
import { hasBins } from './component-index.ts'
import { countListQuery } from './count-list-query.ts'
import { countedOf, isPending, markCounted, type TakenResult } from './count-list.ts'
import { useCount } from './counting-session.ts'
import { KeptNotice, useKeptList } from './kept-list.tsx'
import { monthLists } from './list-changes.ts'
import { usePresentList } from './present-period.ts'
import { historyDialog, resetDialog } from './parts.ts'
import { ReadyToCount } from './ready-to-count.tsx'
import type { ResetOptions } from './reset-dialog.tsx'
import { SpotSkus } from './spot/spot-skus.tsx'
import { ListLoading, NotCounting } from './unheard-scans.tsx'
import { useHistory } from './use-history.ts'

const words = { submit: 'Submit', reset: 'Reset Count', progress: 'Counted this month' }

/** The monthly count as staff see it: blind, every component of the location. */
export function StaffCount() {
  const { user, location } = useLocatedSession()
  const place = placeName(location)
  const client = useQueryClient()
  const { session, begin, end, status, say } = useCount({ kind: 'Monthly', location })
  const { history, openHistory, closeHistory } = useHistory(location)
  const toCount = countListQuery(location, user.role)
  const { data: loaded, failure: notLoaded, refetch } = useKeptList(toCount)
  const listed = usePresentList('month', { data: loaded, refetch })
  const [isResetAsked, setResetAsked] = useState(false)

  async function clear(options: ResetOptions): Promise<void> {
    await call(resetCounts, { body: { location } }, options)
    end()
    refetch().catch(reportError)
  }

  async function start(): Promise<void> {
    if (!begin()) return
    say({ tone: 'good', text: countMessages.started(place) })
    report({
      sku: 'CYCLE_COUNT_MONTHLY_COUNT_STARTED',
      location,
      metadata: { event_type: 'monthly_count_started' },
    }).catch(reportError)
    // Scanning begins at once, on the list that is shown; what holds now comes meanwhile. Without a network the list
    // that was kept will do, and only a refusal ends the count again.
    const { error: failure } = await refetch()
    if (!(failure instanceof ApiError) || isPassing(failure)) return
    end()
    say({ tone: 'bad', text: countMessages.starting(messageOf(failure)) })
  }

  function takeResults(results: readonly TakenResult[]): void {
    monthLists.change(client, toCount.queryKey, (list) => markCounted(list, { results, source: 'monthly' }))
  }

  const problem = notLoaded !== null && (
    <LoadFailure text={countMessages.loadingComponents(messageOf(notLoaded))} onRetry={refetch} />
  )
  if (listed === undefined) {
    if (!problem) return <ListLoading />
    return (
      <Page title="Monthly Count">
        <NotCounting why={countMessages.listMissing}>{problem}</NotCounting>
      </Page>
    )
  }
  // Of last month's list only the marks tell how many are counted in this one.
  const data = listed === loaded ? listed : { ...listed, counted: countedOf(listed.components) }

  return (
    <Page title="Monthly Count" subtitle={place}>
      {problem}
      <CountFrame
        scope={session === null ? null : { location, session, source: 'monthly' }}
        ready={
          <ReadyToCount
            title="Ready to Count"
            total={data.total}
            counted={data.counted}
            countedWords="counted this month"
            startLabel="Start Monthly Count"
            sheetOf={{}}
            hasBins={hasBins(data.components)}
            onStart={start}
          />
        }
        done={
          <CountDone
            session={session}
            isComplete={isAllCounted(data.counted, data.total)}
            sentence={`Everything at ${place} is counted this month.`}
          />
        }
        list={data}
        words={words}
        refuse={() => null}
        isPending={isPending}
        onResults={takeResults}
        onUndone={() => void refetch()}
        status={status}
        say={say}
        onReset={() => setResetAsked(true)}
        isResetAsked={isResetAsked}
        onFinish={end}
        asked={<SpotSkus components={data.components} />}
        notice={<KeptNotice keptAt={data.keptAt} />}
        listTitle="Components"
      >
        <ComponentList
          components={data.components}
          preview={15}
          noun="Components"
          isOfMonth
          onOpen={openHistory}
        />
      </CountFrame>
      {history !== null && (
        <Suspense>
          <historyDialog.Content barcode={history} location={location} onClose={closeHistory} />
        </Suspense>
      )}
      {isResetAsked && (
        <Suspense>
          <resetDialog.Content
            title="Reset Count"
            session={session}
            consequence={`Clears ${howMany(data.counted, 'count')} of this month at this location, by everyone. Stock, history and audit trail stay as they are.`}
            clear={clear}
            failed={countMessages.resetting}
            say={say}
            onClose={() => setResetAsked(false)}
          />
        </Suspense>
      )}
    </Page>
  )
}
