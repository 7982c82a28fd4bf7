import { inWords } from '@inventory-manager/contract/in-words'
import { binLabels } from '@inventory-manager/contract/labels/endpoints'
import { howMany } from '@inventory-manager/contract/numbers'
import { faultOfBins, readBins } from '@inventory-manager/contract/stock/bin-names'
import { useState, type FormEvent } from 'react'
import { ApiError } from '../api/api-error.ts'
import { callForFile } from '../api/file-client.ts'
import { downloadFile } from '../lib/files.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { BinNamesField } from '../ui/bin-names-field.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { createLabelCounter } from './made-labels.ts'
import { paperOf, type Printing } from './print-choice.ts'
import { refusalOf } from './refusal.ts'

type Asked = {
  bins: string[]
  unprintable: 'refuse' | 'leave_out'
  unknown: 'refuse' | 'leave_out' | 'print'
}

type Outcome = { name: string; labels: number } | { failure: unknown; asked: Asked }

/** How many bins no such label can hold, of a refusal for that; 0 for any other failure. */
function unprintableOf(failure: unknown): number {
  const isRefusal = failure instanceof ApiError && failure.code === 'labels_refused'
  return isRefusal ? failure.details.length : 0
}

/** The names that were sent in which nothing lies, of a refusal for that. */
function unknownOf(failure: unknown, { bins }: Asked): string[] {
  if (!(failure instanceof ApiError) || failure.code !== 'not_found') return []
  const places = failure.details.map(({ path }) => path)
  return bins.filter((_, place) => places.includes(`bins.${place}`))
}

/** One file of labels of bins at a time, and what came of the last. */
function useBinFile(printing: Printing) {
  const { location } = useLocatedSession()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isMaking, setMaking] = useState(false)

  async function make(asked: Asked): Promise<void> {
    setOutcome(null)
    setMaking(true)
    const count = createLabelCounter()
    let labels = 0
    try {
      const { first, symbology, format } = printing.choice
      const body = { ...paperOf(printing), location, ...asked, first, symbology, format }
      const onPiece = (piece: Uint8Array) => void (labels = count(piece))
      const file = await callForFile(binLabels, { body }, { onPiece })
      downloadFile(file)
      printing.goOnBehind(labels)
      setOutcome({ name: file.name, labels })
    } catch (failure) {
      setOutcome({ failure, asked })
    } finally {
      setMaking(false)
    }
  }

  return {
    outcome,
    isMaking,
    forget: () => setOutcome(null),
    make: (asked: Asked) => void make(asked).catch(reportError),
  }
}

const mostNamed = 3

/** What prints bins of some names where nothing lies yet. */
function printWords(names: readonly string[]): string {
  if (names.length > mostNamed) return `Print labels for these ${names.length} all the same`
  return `Print ${names.length === 1 ? 'a label' : 'labels'} for ${inWords(names)} all the same`
}

type OffersProps = { outcome: Outcome | null; disabled: boolean; onMake: (asked: Asked) => void }

/** What can be done about bins for which no label was made. */
function Offers({ outcome, disabled, onMake }: OffersProps) {
  if (outcome === null || !('failure' in outcome)) return null
  const { failure, asked } = outcome
  const unprintable = unprintableOf(failure)
  const unknown = unknownOf(failure, asked)
  const leaveOut = (count: number, without: Partial<Asked>) => (
    <Button disabled={disabled} onClick={() => onMake({ ...asked, ...without })}>
      {count === 1 ? 'Leave It Out' : `Leave Out ${formatNumber(count)}`}
    </Button>
  )
  return (
    <>
      {unknown.length > 0 && (
        <Button
          disabled={disabled}
          className="wrap-anywhere"
          onClick={() => onMake({ ...asked, unknown: 'print' })}
        >
          {printWords(unknown)}
        </Button>
      )}
      {unknown.length > 0 &&
        unknown.length < asked.bins.length &&
        leaveOut(unknown.length, { unknown: 'leave_out' })}
      {unprintable > 0 && leaveOut(unprintable, { unprintable: 'leave_out' })}
    </>
  )
}

function Told({ outcome }: { outcome: Outcome | null }) {
  if (outcome === null) return null
  if ('failure' in outcome) return <Fault text={refusalOf(outcome.failure)} />
  const { name, labels } = outcome
  return (
    <Banner tone="good">
      {name} is saved: {howMany(labels, 'label')}.
    </Banner>
  )
}

/** Labels for shelves, on what is chosen for all labels; they are no labels of components, and none is used. */
export function BinLabels({ printing, busy }: { printing: Printing; busy: boolean }) {
  const { location } = useLocatedSession()
  const [typed, setTyped] = useState('')
  const { outcome, isMaking, forget: forgetOutcome, make } = useBinFile(printing)
  const { faults, accept, forget } = useFaults<'bins'>()
  const bins = readBins(typed)

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const wrong = faultOfBins(bins)
    if (accept(wrong === null ? {} : { bins: wrong }, event.currentTarget))
      make({ bins, unprintable: 'refuse', unknown: 'refuse' })
  }

  return (
    <Card title="Bin Labels">
      <form noValidate onSubmit={send} className="flex flex-col items-start gap-3">
        <p className="text-sm wrap-anywhere text-muted">
          For the shelves of {placeName(location)}: scanning one during a count shows what is stored there.
          They do not use up your plan's labels.
        </p>
        <div className="w-full max-w-sm">
          <BinNamesField
            value={typed}
            error={faults.bins}
            onChange={(names) => {
              setTyped(names)
              forget({ bins: names })
              forgetOutcome()
            }}
          />
        </div>
        <Told outcome={outcome} />
        <div className="flex flex-wrap gap-3">
          <Button submits disabled={busy || isMaking}>
            {isMaking ? 'Working...' : 'Download Bin Labels'}
          </Button>
          <Offers outcome={outcome} disabled={busy || isMaking} onMake={make} />
        </div>
      </form>
    </Card>
  )
}
