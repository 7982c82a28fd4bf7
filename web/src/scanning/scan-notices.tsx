import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import type { ScanEngine } from './engine.ts'
import { useFormPart } from './use-scan-engine.ts'

type NoticeProps = { engine: ScanEngine }

/** Asks what a number is that was entered as a quantity. What is scanned meanwhile waits. */
export function NumberQuestion({ engine }: NoticeProps) {
  const number = useFormPart(engine, (form) => form.asking)
  if (number === null) return null
  return (
    <div
      role="alert"
      className="flex flex-col gap-2 rounded-card border border-warn/40 bg-warn-soft p-3 text-warn-text"
    >
      <p>
        Is <span className="font-mono wrap-anywhere">{number}</span> a quantity or a barcode?
      </p>
      <div className="flex gap-2 *:flex-1 *:px-2">
        <Button onClick={() => engine.answer('code')}>Barcode</Button>
        <Button onClick={() => engine.answer('quantity')}>Quantity</Button>
        <Button onClick={() => engine.answer('neither')}>Neither</Button>
      </div>
    </div>
  )
}

/** Says what of the item before was not entered, and gives it back. */
export function LeftOut({ engine }: NoticeProps) {
  const left = useFormPart(engine, (form) => form.left)
  if (left === null) return null
  return (
    <div
      role="alert"
      className="flex items-center justify-between gap-2 rounded-card border border-warn/40 bg-warn-soft p-3 text-warn-text"
    >
      <p className="min-w-0">
        Not entered: <span className="font-mono wrap-anywhere">{left.barcode}</span>,{' '}
        {left.asking ?? left.quantity}.
      </p>
      <div className="flex gap-2">
        <Button look="quiet" className="px-2" onClick={engine.discardLeft}>
          Discard
        </Button>
        <Button onClick={engine.putBack}>Put back</Button>
      </div>
    </div>
  )
}

/** Says that a code was taken once which came twice. */
export function TakenOnce({ engine }: NoticeProps) {
  const doubled = useFormPart(engine, (form) => form.doubled)
  const again = useFormPart(engine, (form) => form.again)
  const code = again ?? doubled
  if (code === null) return null
  return (
    <Banner tone="warn">
      <span className="font-mono wrap-anywhere">{code}</span>{' '}
      {again === null
        ? 'arrived twice in one scan. It is taken once.'
        : 'was scanned again. It is taken once.'}
    </Banner>
  )
}

type WaitingProps = NoticeProps & {
  /** What keeps a code from being counted, in a word or two; or null. */
  noteOn: (code: string) => string | null
  /** Each of them is a piece: it waits for those before it, and not for a quantity. */
  countsPieces: boolean
}

function WaitingCode({ code, note }: { code: string; note: string | null }) {
  return note === null ? `${code} ` : <span className="text-bad-text">{`${code} (${note}) `}</span>
}

/** The codes that were scanned since and are not counted yet, in their order. */
export function WaitingCodes({ engine, noteOn, countsPieces }: WaitingProps) {
  const waiting = useFormPart(engine, (form) => form.waiting)
  if (waiting.length === 0) return null
  const quantity = waiting.length === 1 ? 'its quantity' : 'their quantity'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 rounded-card bg-sunken pl-3 text-sm">
      <p className="max-sm:col-span-2">
        {waiting.length} scanned, waiting for {countsPieces ? 'Submit' : quantity}
      </p>
      <p className="line-clamp-2 font-mono wrap-anywhere sm:line-clamp-1">
        {waiting.map((code, place) => (
          // A code may wait twice, with another one between.
          // oxlint-disable-next-line react/no-array-index-key
          <WaitingCode key={`${place} ${code}`} code={code} note={noteOn(code)} />
        ))}
      </p>
      <Button
        look="quiet"
        className="px-2 sm:col-start-2 sm:row-span-2 sm:row-start-1"
        onClick={engine.discardWaiting}
      >
        Discard
      </Button>
    </div>
  )
}
