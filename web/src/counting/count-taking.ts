import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { createCollector } from '../lib/collector.ts'
import { createValue } from '../lib/value.ts'
import { signal, speak } from '../scanning/feedback.ts'
import type { ScanHandlers } from '../scanning/form-state.ts'
import { problemOfCode } from './code-problems.ts'
import { useCountEntries, type CountScope } from './count-entries.ts'
import { inBin } from './component-index.ts'
import { binInMonth, findInMonth } from './count-list-query.ts'
import {
  binIn,
  findIn,
  piecesPerScanOf,
  sentAs,
  type CountList,
  type ListedComponent,
  type TakenResult,
} from './count-list.ts'
import type { LastEntry } from './count-panel.tsx'
import { ownCount, recentResults, skuOf } from './count-results.ts'
import type { CountResult } from './count-verdicts.ts'
import type { Say, Status } from './counting-session.ts'
import type { HeldEntry } from './held-entries.ts'
import { spokenResult, type CodeProblem } from './result-panel.tsx'
import { findHeard } from './result-sounds.ts'

export type TakingOptions = {
  scope: CountScope
  list: CountList
  /** What keeps a code from being counted here, or null. */
  refuse: (code: string, item: ListedComponent | undefined) => string | null
  onResults: (results: readonly TakenResult[]) => void
  /** An entry was taken back: what is shown may be counted no more. */
  onUndone: () => void
  /** The label of a shelf was scanned, where something of the list lies. */
  onBin: (bin: string) => void
  say: Say
  /** What is said now. */
  status: Status | null
}

const gatherMs = 100

/** What a code means in a count, and what it means in the month: what is not on a day's list is a component all the same. */
function useLookUp({ scope, list, refuse }: TakingOptions) {
  const client = useQueryClient()
  const find = (code: string) => findIn(list.components, code)
  const findElsewhere = (code: string) => findInMonth(client, scope.location)(code)
  const findAnywhere = (code: string) => find(code) ?? findElsewhere(code) ?? undefined
  const describe = (code: string) => findAnywhere(code)?.description || code
  const piecesPerScan = (code: string) => piecesPerScanOf(findAnywhere(code), code)
  const isKnown = (code: string) => findAnywhere(code) !== undefined
  const binOf = (code: string) =>
    isKnown(code) ? undefined : (binIn(list.components, code) ?? binInMonth(client, scope.location, code))

  function problemOf(code: string): CodeProblem | null {
    const item = find(code)
    const elsewhere = findElsewhere(code)
    return problemOfCode(code, {
      isListed: item !== undefined,
      bin: binOf(code),
      refusal: refuse(code, item),
      isKnown: elsewhere === null ? null : elsewhere !== undefined,
    })
  }

  return {
    find,
    isKnown,
    isSame: (one: string, other: string) => {
      const item = find(one)
      return item === undefined ? skuOf(one) === skuOf(other) : item === find(other)
    },
    describe,
    piecesPerScan,
    binOf,
    problemOf,
    /** What is shown of a scanned code. */
    lookUp: (code: string) => ({
      description: describe(code),
      problem: problemOf(code),
      bin: findAnywhere(code)?.bin,
      piecesPerScan: piecesPerScan(code),
    }),
  }
}

/** The newest entry made here, for as long as nothing came of it. */
function useEntered(session: string) {
  const [entered] = useState(() => createValue<LastEntry | null>(null))
  return {
    entered,
    /** An entry of that code is taken back: the newest one stays where it is of another. */
    clearEntered: (barcode: string) => {
      if (entered.get()?.barcode === barcode) entered.set(null)
    },
    showEntered: (
      { barcode, quantity, description }: Pick<LastEntry, 'barcode' | 'quantity' | 'description'>,
      said: Pick<LastEntry, 'word' | 'message'>,
    ) =>
      entered.set({
        barcode,
        quantity,
        description,
        ...said,
        after: recentResults.of(ownCount(session))[0]?.id,
      }),
  }
}

/** Says a message on the screen and aloud. */
const tellBy = (say: Say) => (status: Status) => {
  say(status)
  speak(status.text)
}

/** One sound for what comes together, and what is wrong is heard; false where nothing came. */
function soundOf(results: readonly CountResult[]): boolean {
  const found = findHeard(results)
  if (found === null) return false
  signal(found.as)
  speak(spokenResult(found.heard))
  return true
}

/** Also heard: who just entered or scanned what is wrong walks on from it. */
const heardToo = (tell: (text: string) => void) => (text: string) => {
  signal('wrong')
  tell(text)
}

type BinOptions = Pick<TakingOptions, 'list' | 'onBin'> & {
  binOf: (code: string) => string | undefined
  tell: (status: Status) => void
  tellWrong: (text: string) => void
}

/** Tells the label of a shelf from what may be counted: who scans it has no item in hand, and sees what of the list lies there. */
function bins({ list, onBin, binOf, tell, tellWrong }: BinOptions) {
  function tellBin(code: string): boolean {
    const bin = binOf(code)
    if (bin !== undefined) tellWrong(entryMessages.isBin(bin))
    return bin !== undefined
  }

  function showBin(code: string): boolean {
    const bin = binOf(code)
    if (bin === undefined) return false
    const here = inBin(list.components, bin)
    if (here.length === 0) return tellBin(code)
    onBin(bin)
    signal('bin')
    tell({ tone: 'info', text: entryMessages.inBin(bin, here.length) })
    return true
  }

  return { tellBin, showBin }
}

/** Takes entries into a count, and lets the person see and hear what comes of each. */
export function useTaking(options: TakingOptions) {
  const { scope, say } = options
  // The list is long: the result on the screen does not wait for its marks.
  const [marks] = useState(() => createCollector<TakenResult>(gatherMs))
  const markList = useEffectEvent(options.onResults)
  useEffect(() => marks.connect((results) => markList(results)), [marks])
  const { entered, clearEntered, showEntered } = useEntered(scope.session)
  const { find, binOf, problemOf, describe, ...known } = useLookUp(options)

  const tell = tellBy(say)
  const tellProblem = (text: string) => tell({ tone: 'bad', text })
  const tellWrong = heardToo(tellProblem)

  const entries = useCountEntries({
    scope,
    describe,
    onResults(results) {
      const own = results.filter(({ isOwn }) => isOwn).map(({ result }) => result)
      marks.add(results)
      // What was said before this came is not of this; what is wrong with the next entry still is.
      if (soundOf(own) && options.status?.tone !== 'bad') say(null)
    },
    onUndoing(barcode) {
      tell({ tone: 'info', text: entryMessages.takingBack(barcode) })
      clearEntered(barcode)
    },
    onUndone(barcode) {
      marks.flush()
      tell({ tone: 'good', text: entryMessages.undone(barcode) })
      clearEntered(barcode)
      options.onUndone()
    },
    onUndoneElsewhere: (barcode) => tell({ tone: 'good', text: entryMessages.undone(barcode) }),
    onProblem: tellWrong,
  })

  const takeEntry: ScanHandlers['onEntry'] = ({ barcode, quantity, scans }) => {
    const item = find(barcode)
    const problem = problemOf(barcode)
    const kept = known.isKnown(barcode) || scans === 0 ? {} : { scans }
    const entry = { barcode: sentAs(item, barcode), quantity, recount: false, ...kept }
    const shown = { ...entry, description: describe(barcode) }
    say(null)
    if (problem !== null && options.refuse(barcode, item) !== null) {
      entries.tell(entry)
      signal('wrong')
      speak(problem.sentence)
      showEntered(shown, { word: problem.word, message: problem.sentence })
    } else if (scope.source === 'weekly' && item?.counted === true) {
      entries.ask(entry, { code: 'already_counted', message: countMessages.alreadyCounted })
      signal('wrong')
      speak(countMessages.alreadyCounted)
      showEntered(shown, { word: 'Counted already', message: countMessages.alreadyCounted })
    } else {
      entries.add(entry)
      showEntered(shown, { word: 'Entered', message: shown.description })
    }
  }

  function tellDiscarded({ value }: HeldEntry): void {
    showEntered(value, { word: 'Not updated', message: entryMessages.notUpdated })
    speak(entryMessages.notUpdated)
  }

  const told = { tellWrong, tellDiscarded, ...bins({ ...options, binOf, tell, tellWrong }) }
  return { ...known, problemOf, entered, entries, takeEntry, ...told }
}
