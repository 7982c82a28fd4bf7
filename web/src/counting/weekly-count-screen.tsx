import { weekdayOf } from '@inventory-manager/contract/calendar'
import { resetWeeklyDay } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { weekDays, type WeekDay } from '@inventory-manager/contract/stock/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { report } from '../session/report.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { PassingStatus } from '../ui/passing-status.tsx'
import { CertificateSoFar, CountDone, isAllCounted } from './certificate-link.tsx'
import { ComponentList } from './component-list.tsx'
import { hasBins } from './component-index.ts'
import { CountFrame } from './count-frame.tsx'
import { countListQuery, dayListQuery } from './count-list-query.ts'
import { countedOf, isPending, withMarks, type TakenResult } from './count-list.ts'
import { useCount, useStatus } from './counting-session.ts'
import { KeptNotice, useKeptList } from './kept-list.tsx'
import { dayLists } from './list-changes.ts'
import { usePresent, usePresentList } from './present-period.ts'
import { highVolumeDialog, historyDialog, resetDialog } from './parts.ts'
import { ReadyToCount } from './ready-to-count.tsx'
import type { ResetOptions } from './reset-dialog.tsx'
import { ListLoading, NotCounting, useUnheardScans } from './unheard-scans.tsx'
import { useHistory } from './use-history.ts'

const words = { submit: 'Submit', reset: 'Reset Count', progress: 'Counted today' }
const dayOptions = [
  { value: '', label: 'Select a day' },
  ...weekDays.map((day) => ({ value: day, label: day })),
]

/** The weekday of a day, null at weekends (specification 2, 'Weekly count: day preselected'). */
function workdayOf(day: string): WeekDay | null {
  const name = weekdayOf(day)
  return weekDays.find((weekday) => weekday === name) ?? null
}

/** The weekly count of a day's high-volume SKUs. */
export function WeeklyCountScreen() {
  const { user, location } = useLocatedSession()
  const { present } = usePresent('day')
  const [chosen, setChosen] = useState<{ day: WeekDay | null } | null>(null)
  const [running, setRunning] = useState<WeekDay | null>(null)
  const { day } = chosen ?? { day: running ?? workdayOf(present.name) }
  const [managing, setManaging] = useState(false)
  const place = placeName(location)
  return (
    <Page
      title="Weekly Count"
      subtitle={place}
      actions={
        user.role === 'admin' ? (
          <Button onClick={() => setManaging(true)}>Manage High Volume</Button>
        ) : undefined
      }
    >
      <div className="max-w-xs max-lg:in-data-compact:order-last max-lg:in-data-compact:w-full">
        <SelectField
          label="Day"
          options={dayOptions}
          value={day ?? ''}
          onChange={({ target }) =>
            setChosen({ day: weekDays.find((name) => name === target.value) ?? null })
          }
        />
      </div>
      {day === null ? <NoDay /> : <DayCount key={`${location} ${day}`} day={day} onRunning={setRunning} />}
      {managing && (
        <Suspense fallback={<Loading label="Loading..." />}>
          <highVolumeDialog.Content
            day={day ?? 'Monday'}
            location={location}
            onClose={() => setManaging(false)}
          />
        </Suspense>
      )}
    </Page>
  )
}

function NoDay() {
  const { status, setStatus } = useStatus()
  useUnheardScans(countMessages.noDay, setStatus)
  return (
    <>
      <PassingStatus status={status} />
      <Card>
        <EmptyState title="Choose a day to count">
          <Button look="primary" onClick={() => setStatus({ tone: 'bad', text: countMessages.selectDay })}>
            Start Count
          </Button>
        </EmptyState>
      </Card>
    </>
  )
}

function NoSkus({ day, isRunning }: { day: WeekDay; isRunning: boolean }) {
  const { user } = useLocatedSession()
  const hintId = useId()
  return (
    <EmptyState title={`No high-volume SKUs on ${day}`}>
      <p id={hintId}>
        {user.role === 'admin'
          ? 'Choose them with Manage High Volume.'
          : 'Administrators choose them with Manage High Volume.'}
      </p>
      {!isRunning && (
        <Button look="primary" className="mt-4" aria-describedby={hintId} disabled>
          Start Count
        </Button>
      )}
    </EmptyState>
  )
}

type DayCountProps = {
  day: WeekDay
  /** Says of which day a count runs: that day stays. */
  onRunning: (day: WeekDay | null) => void
}

function DayCount({ day, onRunning }: DayCountProps) {
  const { location, user } = useLocatedSession()
  const place = placeName(location)
  const client = useQueryClient()
  const { session, begin, end, status, say } = useCount({ kind: 'Weekly', day, location })
  const isRunning = session !== null
  useEffect(() => {
    if (!isRunning) return undefined
    onRunning(day)
    return () => onRunning(null)
  }, [isRunning, day, onRunning])
  const { history, openHistory, closeHistory } = useHistory(location)
  const toCount = dayListQuery(location, day)
  const { data: loaded, failure, refetch } = useKeptList(toCount)
  const data = usePresentList('day', { data: loaded, refetch })
  const [isResetAsked, setResetAsked] = useState(false)
  // By it, what is not on this list is told from what nobody knows, and a code in the quantity from a number.
  useQuery({ ...countListQuery(location, user.role), enabled: isRunning, notifyOnChangeProps: [] })

  async function clear(options: ResetOptions): Promise<void> {
    await call(resetWeeklyDay, { body: { day, location } }, options)
    end()
    refetch().catch(reportError)
  }
  const problem = failure !== null && (
    <LoadFailure text={countMessages.loadingHighVolume(messageOf(failure))} onRetry={refetch} />
  )
  if (data === undefined) {
    return problem ? <NotCounting why={countMessages.listMissing}>{problem}</NotCounting> : <ListLoading />
  }

  const { components } = data
  const counted = countedOf(components)
  const standing = { session, isComplete: isAllCounted(counted, components.length) }

  function start(): void {
    if (!begin()) return
    report({
      sku: 'WEEKLY_COUNT_WEEKLY_COUNT_STARTED',
      location,
      metadata: { event_type: 'weekly_count_started', day },
    }).catch(reportError)
  }

  function takeResults(results: readonly TakenResult[]): void {
    dayLists.change(client, toCount.queryKey, (list) => withMarks(list, { results, source: 'weekly' }))
  }

  return (
    <>
      {problem}
      <CountFrame
        scope={session === null ? null : { location, session, source: 'weekly', day }}
        ready={
          // The list below says that there is nothing, and why nothing can be started.
          components.length === 0 ? null : (
            <ReadyToCount
              title={`Ready to Count ${day}`}
              sheetOf={{ day }}
              hasBins={hasBins(components)}
              total={components.length}
              counted={counted}
              countedWords="counted today"
              startLabel={counted > 0 ? 'Resume Count' : 'Start Count'}
              onStart={start}
            >
              <CertificateSoFar {...standing} counted={counted} />
            </ReadyToCount>
          )
        }
        done={<CountDone {...standing} sentence={`Every SKU of ${day} is counted.`} />}
        list={{ components, counted, total: components.length }}
        words={words}
        refuse={(code, item) => (item === undefined ? countMessages.notInList(code, day, place) : null)}
        isPending={isPending}
        onResults={takeResults}
        onUndone={() => void refetch()}
        status={status}
        say={say}
        onReset={() => setResetAsked(true)}
        isResetAsked={isResetAsked}
        onFinish={end}
        asked={null}
        notice={<KeptNotice keptAt={data.keptAt} />}
        listTitle={`${day}'s high-volume SKUs`}
      >
        {components.length === 0 ? (
          <NoSkus day={day} isRunning={isRunning} />
        ) : (
          <ComponentList
            components={components}
            preview={10}
            noun="SKUs"
            isOfMonth={false}
            onOpen={openHistory}
          />
        )}
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
            consequence={`Clears ${formatNumber(counted)} of today's weekly counts at this location, by everyone. Stock, history and audit trail stay as they are.`}
            clear={clear}
            failed={countMessages.resetting}
            say={say}
            onClose={() => setResetAsked(false)}
          />
        </Suspense>
      )}
    </>
  )
}
