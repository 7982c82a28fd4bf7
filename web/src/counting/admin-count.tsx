import type { ComponentToCount } from '@inventory-manager/contract/counting/endpoints'
import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import type { CycleCount } from '@inventory-manager/contract/counting/record-endpoints'
import { howMany } from '@inventory-manager/contract/numbers'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useState, type ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { formatMonth } from '../lib/dates.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Page } from '../ui/page.tsx'
import { CertificateSoFar, CountDone, isAllCounted } from './certificate-link.tsx'
import { hasBins } from './component-index.ts'
import { CountFrame } from './count-frame.tsx'
import { countListQuery } from './count-list-query.ts'
import { recordedBarcode } from './count-jobs.ts'
import { withMarks, type TakenResult } from './count-list.ts'
import { useStatus } from './counting-session.ts'
import { cycleQuery, useCycle, useCycleActions, withCounts, type CycleList } from './cycle.ts'
import { KeptNotice, type Kept } from './kept-list.tsx'
import { cycleLists, monthLists } from './list-changes.ts'
import { resetDialog } from './parts.ts'
import { ReadyToCount } from './ready-to-count.tsx'
import { SkuList } from './sku-list.tsx'
import { SpotSkus } from './spot/spot-skus.tsx'
import { ListLoading, NotCounting } from './unheard-scans.tsx'

const words = { submit: 'Submit Count', reset: 'Reset Cycle Count', progress: 'Counted in this cycle' }

const nothing: CycleCount['progress'] = {}

/** The code of the newest result where it is right: what came after a right one may be another. */
function rightAtLast(results: readonly TakenResult[]): string | null {
  const last = results.at(-1)
  return last?.result.verdict === 'matched' ? recordedBarcode(last.reply, last.result.barcode) : null
}

/** What of the list the cycle holds. */
function countOf(components: readonly ComponentToCount[], progress: Record<string, unknown>): number {
  return components.filter(({ barcode }) => Object.hasOwn(progress, barcode)).length
}

function subtitleOf(pastMonth: string | null): string {
  const about = 'Expected quantities are shown; staff count blind.'
  return pastMonth === null ? about : `The cycle of ${pastMonth}. ${about}`
}

function doneOf(pastMonth: string | null): string {
  return pastMonth === null
    ? 'This month’s cycle count is complete.'
    : `The cycle count of ${pastMonth} is complete.`
}

/** What could not be loaded, or not loaded anew. */
function Failure({ components, cycles }: ReturnType<typeof useCycle>) {
  if (components.failure !== null) {
    const text = countMessages.loadingList(messageOf(components.failure))
    return <LoadFailure text={text} onRetry={components.refetch} />
  }
  if (cycles.failure === null) return null
  return (
    <LoadFailure text={countMessages.loadingProgress(messageOf(cycles.failure))} onRetry={cycles.refetch} />
  )
}

/** The administrators' cycle count: expected quantities shown, progress kept in the cycle's record. */
export function AdminCount() {
  const { location } = useLocatedSession()
  const loaded = useCycle(location)
  const { components, cycles } = loaded
  const failure = <Failure {...loaded} />
  if (components.data !== undefined && cycles.data !== undefined) {
    return <Cycle list={components.data} cycles={cycles.data} failure={failure} />
  }
  if (components.failure === null && cycles.failure === null) return <ListLoading />
  return (
    <Page title={`Admin View, ${placeName(location)}`}>
      <NotCounting why={countMessages.listMissing}>{failure}</NotCounting>
    </Page>
  )
}

type CycleProps = {
  list: Kept<{ components: ComponentToCount[] }>
  cycles: CycleList
  failure: ReactNode
}

function Cycle({ list: { components: items, keptAt }, cycles, failure }: CycleProps) {
  const { location } = useLocatedSession()
  const place = placeName(location)
  const client = useQueryClient()
  const { status, setStatus } = useStatus()
  const actions = useCycleActions(cycles, setStatus)
  const [isResetAsked, setResetAsked] = useState(false)
  const cycle = cycles.cycle_counts.find(({ id }) => id === actions.id)
  const progress = cycle?.progress ?? nothing
  const counted = useMemo(() => countOf(items, progress), [items, progress])
  // Of the present list: components that came since the record was completed are still to count.
  const standing = {
    session: actions.id,
    month: actions.month,
    isComplete: isAllCounted(counted, items.length),
  }
  /** Named where the cycle goes on after its month's end. */
  const past = actions.isPast ? formatMonth(actions.month) : null

  function takeResults(results: readonly TakenResult[]): void {
    const recorded = results.flatMap(({ result, reply, inCycle }) => {
      const barcode = recordedBarcode(reply, result.barcode)
      return barcode === null ? [] : [{ barcode, result, inCycle }]
    })
    if (recorded.length === 0) return
    monthLists.change(client, countListQuery(location, 'admin').queryKey, (list) =>
      withMarks(list, { results, source: 'admin' }),
    )
    const added = Object.fromEntries(recorded.flatMap(({ inCycle }) => Object.entries(inCycle ?? {})))
    cycleLists.change(client, cycleQuery(location).queryKey, (list) =>
      withCounts(list, { id: actions.id, progress: added }),
    )
    const right = rightAtLast(results)
    // What is wrong with the next entry is still to be read.
    if (right === null || status?.tone === 'bad') return
    setStatus({ tone: 'good', text: countMessages.counted(right, place) })
  }

  function loadAgain(): void {
    for (const { queryKey } of [cycleQuery(location), countListQuery(location, 'admin')]) {
      client.invalidateQueries({ queryKey }).catch(reportError)
    }
  }

  return (
    <Page title={`Admin View, ${place}`} subtitle={subtitleOf(past)}>
      {failure}
      <CountFrame
        scope={actions.active ? { location, session: actions.id, source: 'admin' } : null}
        ready={
          <ReadyToCount
            title="Ready to Count"
            total={items.length}
            counted={counted}
            countedWords="counted in this cycle"
            startLabel={cycle === undefined ? 'Start Admin View' : 'Resume Admin View'}
            sheetOf={{ cycle: actions.id }}
            hasBins={hasBins(items)}
            onStart={actions.start}
          >
            <CertificateSoFar {...standing} counted={counted} />
          </ReadyToCount>
        }
        done={<CountDone {...standing} sentence={doneOf(past)} />}
        list={{ components: items, counted, total: items.length }}
        words={words}
        refuse={() => null}
        isPending={({ barcode }) => !Object.hasOwn(progress, barcode)}
        onResults={takeResults}
        onUndone={loadAgain}
        status={status}
        say={setStatus}
        onReset={() => setResetAsked(true)}
        isResetAsked={isResetAsked}
        onFinish={actions.finish}
        asked={<SpotSkus components={items} />}
        notice={<KeptNotice keptAt={keptAt} />}
        listTitle="SKUs to count"
      >
        <SkuList components={items} progress={progress} />
      </CountFrame>
      {isResetAsked && (
        <Suspense>
          <resetDialog.Content
            title="Reset Cycle Count"
            session={actions.active ? actions.id : null}
            consequence={`Clears ${howMany(counted, 'counted SKU')} of this cycle. Stock, history and audit trail stay as they are.`}
            clear={actions.clear}
            failed={entryMessages.resettingCycle}
            say={setStatus}
            onClose={() => setResetAsked(false)}
          />
        </Suspense>
      )}
    </Page>
  )
}
