import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { maxBarcodeLength } from '@inventory-manager/contract/values'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { inPassing } from '../lib/in-passing.ts'
import { askToKeep } from '../outbox/database.ts'
import { prepareSound } from '../scanning/feedback.ts'
import { ScanPanel } from '../scanning/scan-panel.tsx'
import { placeName } from '../session/place-names.ts'
import { isAuthenticated, isLocationChosen, isSentAway } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { useScannersKeys } from '../ui/keys.tsx'
import { useCompactPage } from '../ui/page.tsx'
import { useIsNarrow } from '../ui/use-narrow.ts'
import { AskedDialog, type AskedProps } from './asked-dialog.tsx'
import { CountPanel } from './count-panel.tsx'
import { CountProgress } from './count-progress.tsx'
import { useTaking, type TakingOptions } from './count-taking.ts'
import type { ListedComponent } from './count-list.ts'
import type { Status } from './counting-session.ts'
import { SoughtBin, type BinScan } from './sought-bin.ts'
import { hearScans, tellAloud } from './heard-scans.ts'
import { useLocationCode } from './location-change.ts'
import { stillAbsent, useIsOfCount } from './left-to-count.ts'
import { Unsettled } from './unsettled/unsettled.tsx'
import { useCountsPieces } from './counts-pieces.ts'
import { leaveDialog, preloadCount, queueNotices } from './parts.ts'
import { RecentScans } from './recent-scans.tsx'
import { ScanChoices } from './scan-choices.tsx'
import { ToCountAgain } from './to-count-again.tsx'

type ActiveCountProps = Omit<TakingOptions, 'onBin'> & {
  words: { submit: string; reset: string; progress: string }
  status: Status | null
  onReset: () => void
  /** Whether a reset is asked about or on its way: what is scanned then would go with it. */
  isResetAsked: boolean
  /** Puts the count down. */
  onFinish: () => void
  /** Whether a component of the list is still to be counted. */
  isPending: (item: ListedComponent) => boolean
  /** What of it is asked for beside the whole. */
  asked: ReactNode
  /** What is to be said of the list, which moves nothing of the scanning. */
  above: ReactNode
  listTitle: string
  /** The list of what there is to count: beside the scanning, or on a handheld in a sheet over it. */
  children: ReactNode
}

const problems = {
  barcode_missing: entryMessages.barcodeRequired,
  barcode_too_long: entryMessages.barcodeTooLong(maxBarcodeLength),
  quantity_missing: entryMessages.quantityRequired,
  quantity_invalid: entryMessages.quantityInvalid,
  quantity_separated: entryMessages.quantitySeparated,
  pieces_typed_over: entryMessages.piecesTypedOver,
  quantity_waits: entryMessages.quantityWaits,
  left_waits: entryMessages.leftWaits,
  of_contents: entryMessages.ofContents,
} as const

function locationProblem(): string | null {
  return isLocationChosen() ? null : entryMessages.noLocation
}

type LeavingOptions = { waiting: () => number; tellWrong: (text: string) => void }

/** Going to another location by its command code: at once, or, while scans wait to be stored, after a question. */
function useLeaving({ waiting, tellWrong }: LeavingOptions) {
  const [to, setTo] = useState<LocationCode | null>(null)
  const locationCode = useLocationCode()
  return {
    to,
    follow(code: string): void {
      const read = locationCode.read(code)
      if (read === null) return
      if ('problem' in read) tellWrong(read.problem)
      else if (waiting() === 0) locationCode.go(read.to)
      else {
        setTo(read.to)
        tellAloud(entryMessages.askLocation(placeName(read.to)))
      }
    },
    /** Whether it is in question where something is scanned, which is heard then. */
    isAsked(): boolean {
      if (to === null) return false
      tellWrong(entryMessages.locationAsked)
      return true
    },
    go: () => to !== null && locationCode.go(to),
    stay: () => setTo(null),
  }
}

function LeaveQuestion({ leaving, session }: { leaving: ReturnType<typeof useLeaving>; session: string }) {
  if (leaving.to === null) return null
  return (
    <Suspense>
      <leaveDialog.Content to={leaving.to} session={session} onGo={leaving.go} onClose={leaving.stay} />
    </Suspense>
  )
}

/** What is below the fields: painted by itself, and only while it is in view. */
const later = 'isolate [content-visibility:auto] [contain-intrinsic-height:auto_40rem]'

/** Who counts looks at the shelf: what they would scan from here on is counted nowhere. */
function hearEnd(): void {
  if (isSentAway()) tellAloud(isAuthenticated() ? entryMessages.noLocation : entryMessages.notAuthenticated)
}

type ListBesideProps = { title: string; above: ReactNode; children: ReactNode }

/** The list of a count where there is room for it. */
function ListBeside({ title, above, children }: ListBesideProps) {
  return (
    <div className={classNames(later, 'flex min-w-0 flex-col gap-3 lg:gap-4')}>
      {above}
      {children !== false && (
        <Card title={title} flush>
          {children}
        </Card>
      )}
    </div>
  )
}

/** Opens it where there is none. */
function ListButton({ onClick }: { onClick: () => void }) {
  return (
    <Button aria-haspopup="dialog" onClick={onClick}>
      List
    </Button>
  )
}

/** Makes ready what a count needs of the device. */
function useDevice(): void {
  useEffect(prepareSound, [])
  useEffect(askToKeep, [])
  useEffect(() => hearEnd, [])
}

/** What is asked for beside scanning, and the list where it has no place there: of what lies in a bin, or all of it. */
function useAsked(isNarrow: boolean) {
  const [asked, setAsked] = useState<AskedProps['asked']>(null)
  const [soughtBin, setSoughtBin] = useState<BinScan | null>(null)
  return {
    asked,
    setAsked,
    soughtBin,
    showList: (bin: string | null) => {
      setSoughtBin((before) => (bin === null ? null : { bin, nth: (before?.nth ?? 0) + 1 }))
      if (isNarrow) setAsked('list')
    },
  }
}

/** A running count: progress, last result, scanning, recent scans. */
export function ActiveCount(props: ActiveCountProps) {
  const { scope, list, words } = props
  const [keepFocus, setKeepFocus] = useState(true)
  const [countsPieces, setCountsPieces] = useCountsPieces(scope.session)
  const isNarrow = useIsNarrow()
  const { asked, setAsked, soughtBin, showList } = useAsked(isNarrow)
  useCompactPage()
  useScannersKeys()
  useEffect(() => inPassing(preloadCount()), [])
  useDevice()
  const { isKnown, isSame, piecesPerScan, problemOf, entered, entries, tellWrong, ...taking } = useTaking({
    ...props,
    onBin: showList,
  })
  const leaving = useLeaving({ waiting: entries.waiting, tellWrong })
  const isOfCount = useIsOfCount(scope)

  /** Whether what is scanned would be lost, or be counted elsewhere, which is heard then. */
  function isInQuestion(): boolean {
    if (!props.isResetAsked) return leaving.isAsked()
    tellWrong(entryMessages.resetAsked)
    return true
  }

  /** What was wrong with one item is not said of the next. */
  function forgetProblem(): void {
    if (props.status?.tone === 'bad') props.say(null)
  }

  /** Entries belong to a session and a location; another tab may have ended either. */
  function mayTake(): boolean {
    if (isInQuestion()) return false
    const problem = isAuthenticated() ? locationProblem() : entryMessages.notAuthenticated
    if (problem !== null) tellWrong(problem)
    return problem === null
  }

  function confirmAbsent(barcodes: readonly string[]): void {
    setAsked(null)
    if (!mayTake()) return
    // Whoever went on scanning behind the dialog has found some of them.
    const absent = stillAbsent(barcodes, { list: { ...list, scope }, isOfCount })
    for (const barcode of absent) entries.add({ barcode, quantity: 0, recount: false })
    props.say({ tone: 'info', text: entryMessages.absentEntered(absent.length) })
  }

  const shown = <SoughtBin value={soughtBin}>{props.children}</SoughtBin>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(22rem,2fr)_3fr]">
      <div className="flex flex-col gap-3 lg:gap-4">
        <CountProgress label={words.progress} list={list} scope={scope} />
        <Suspense fallback={null}>
          <queueNotices.Content session={scope.session} />
        </Suspense>
        <ScanPanel
          beside={isNarrow && <ListButton onClick={() => showList(null)} />}
          keepFocus={keepFocus}
          submitLabel={words.submit}
          session={scope.session}
          renderPanel={(part) => (
            // Parts that change by themselves are painted by themselves.
            <div className="isolate">
              <CountPanel
                {...part}
                session={scope.session}
                status={props.status}
                entered={entered}
                lookUp={taking.lookUp}
                stands={entries.stands}
                onDiscarded={taking.tellDiscarded}
                {...{ countsPieces, isSame }}
              />
            </div>
          )}
          // Also where it is not on a day's list: it is no quantity.
          isKnownCode={isKnown}
          countsPieces={() => countsPieces}
          isSame={isSame}
          piecesPerScan={piecesPerScan}
          stands={entries.stands}
          mayScan={(code) => !isInQuestion() && !taking.showBin(code)}
          mayTake={(code) => mayTake() && !taking.tellBin(code)}
          onEntry={taking.takeEntry}
          onProblem={(problem) => tellWrong(problems[problem])}
          onUndo={entries.undo}
          onLocation={(code) => leaving.follow(code)}
          onNext={forgetProblem}
          {...hearScans({ problemOf, piecesPerScan, forgetProblem })}
        />
        <ScanChoices
          keepFocus={keepFocus}
          onKeepFocus={setKeepFocus}
          countsPieces={countsPieces}
          onCountPieces={setCountsPieces}
          resetLabel={words.reset}
          onReset={props.onReset}
          scope={scope}
        >
          <Button onClick={() => setAsked('absent')}>Confirm absent</Button>
          <Button onClick={() => setAsked('finish')}>Finish</Button>
        </ScanChoices>
        <Unsettled />
        <ToCountAgain scope={scope} components={list.components} />
        {props.asked}
        <div className={later}>
          <RecentScans
            session={scope.session}
            onTakeBack={entries.takeBack}
            onNote={() => setAsked('note')}
          />
        </div>
      </div>
      <ListBeside title={props.listTitle} above={props.above}>
        {!isNarrow && shown}
      </ListBeside>
      <AskedDialog
        asked={asked}
        count={{ components: list.components, scope, isPending: props.isPending }}
        onConfirm={confirmAbsent}
        onFinish={props.onFinish}
        stands={entries.stands}
        listTitle={props.listTitle}
        listKey={soughtBin?.nth}
        list={isNarrow && shown}
        onClose={() => setAsked(null)}
      />
      <LeaveQuestion leaving={leaving} session={scope.session} />
    </div>
  )
}
