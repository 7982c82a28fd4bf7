import { lazy, Suspense, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Camera } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Loading } from '../ui/loading.tsx'
import { isCameraWanted, loadCameraPanel, wantCamera } from './camera-choice.ts'
import type { ScanEngine, ScanHandlers } from './engine.ts'
import { useScannersOfCompany } from './company-scanners.ts'
import { useFormPart, useScanEngine } from './use-scan-engine.ts'

const CameraPanel = lazy(loadCameraPanel)

type ScanPanelProps = Omit<ScanHandlers, 'onTurn' | 'settings'> & {
  keepFocus: boolean
  submitLabel: string
  savedAs: string
  /** What else stands beside the camera's button. */
  children: ReactNode
}

function Question({ engine }: { engine: ScanEngine }) {
  const number = useFormPart(engine, (form) => form.asking)
  if (number === null) return null
  return (
    <div
      role="alert"
      className="flex flex-col gap-3 rounded-card border border-warn/40 bg-warn-soft p-3 text-warn-text"
    >
      <p>
        Is <span className="font-mono">{number}</span> a quantity or a barcode?
      </p>
      <div className="flex gap-2">
        <Button onClick={() => engine.answer('code')}>Barcode</Button>
        <Button onClick={() => engine.answer('quantity')}>Quantity</Button>
      </div>
    </div>
  )
}

function WaitingCodes({ engine }: { engine: ScanEngine }) {
  const waiting = useFormPart(engine, (form) => form.waiting)
  if (waiting.length === 0) return null
  return (
    <div className="rounded-card bg-sunken p-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <p>
          {waiting.length} scanned, waiting for {waiting.length === 1 ? 'its' : 'their'} quantity
        </p>
        <Button look="quiet" onClick={engine.discardWaiting}>
          Discard
        </Button>
      </div>
      <p className="truncate font-mono">{waiting.join('  ')}</p>
    </div>
  )
}

/** Stands below the buttons, so that nothing moves under a thumb. */
function Doubled({ engine }: { engine: ScanEngine }) {
  const code = useFormPart(engine, (form) => form.doubled)
  if (code === null) return null
  return (
    <p role="status" className="rounded-card bg-warn-soft p-3 text-sm text-warn-text">
      <span className="font-mono break-all">{code}</span> arrived twice in one scan. It is taken once.
    </p>
  )
}

type FieldProps = { engine: ScanEngine; ref: RefObject<HTMLInputElement | null> }

function BarcodeField({ engine, ref }: FieldProps) {
  const barcode = useFormPart(engine, (form) => form.barcode)
  return (
    <TextField
      ref={ref}
      label="Barcode"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="next"
      placeholder="Scan or type"
      value={barcode}
      onChange={(event) => engine.type('barcode', event.target.value)}
    />
  )
}

function QuantityField({ engine, ref }: FieldProps) {
  const quantity = useFormPart(engine, (form) => form.quantity)
  return (
    <TextField
      ref={ref}
      label="Quantity"
      type="number"
      min={0}
      step={1}
      inputMode="numeric"
      autoComplete="off"
      enterKeyHint="send"
      placeholder="0"
      value={quantity}
      // A wheel over a focused number field would change the count.
      onWheel={(event) => event.currentTarget.blur()}
      onFocus={engine.enterQuantity}
      onChange={(event) => engine.type('quantity', event.target.value)}
    />
  )
}

function NextButton({ engine }: { engine: ScanEngine }) {
  const isEmpty = useFormPart(engine, ({ barcode, quantity }) => barcode === '' && quantity === '')
  return (
    <Button onClick={engine.next} disabled={isEmpty}>
      Next Item
    </Button>
  )
}

/**
 * Barcode, quantity and Submit, within reach of a thumb; codes scanned meanwhile wait below. What a
 * key changes is drawn again, and nothing else.
 */
export function ScanPanel({ submitLabel, children, ...handlers }: ScanPanelProps) {
  const barcode = useRef<HTMLInputElement>(null)
  const quantity = useRef<HTMLInputElement>(null)
  const company = useScannersOfCompany()
  const engine = useScanEngine({ ...handlers, company, fields: { barcode, quantity } })
  const [camera, setCamera] = useState(isCameraWanted)

  function switchCamera(on: boolean): void {
    wantCamera(on)
    setCamera(on)
  }

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        engine.submit()
      }}
    >
      {camera && (
        <Suspense fallback={<Loading label="Opening the camera..." />}>
          <CameraPanel onCode={engine.take} onClose={() => switchCamera(false)} />
        </Suspense>
      )}
      <div className="grid grid-cols-[2fr_1fr] gap-3">
        <BarcodeField engine={engine} ref={barcode} />
        <QuantityField engine={engine} ref={quantity} />
      </div>
      <Question engine={engine} />
      <div className="flex gap-3">
        <Button look="primary" submits className="flex-1">
          {submitLabel}
        </Button>
        <NextButton engine={engine} />
      </div>
      <div className="flex flex-wrap gap-3">
        {!camera && (
          <Button onClick={() => switchCamera(true)}>
            <Camera aria-hidden className="size-5" />
            Camera
          </Button>
        )}
        {children}
      </div>
      <Doubled engine={engine} />
      <WaitingCodes engine={engine} />
    </form>
  )
}
