import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { Camera } from 'lucide-react'
import { useCompanySettings } from '../session/branding.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Loading } from '../ui/loading.tsx'
import { isCameraWanted, loadCameraPanel, wantCamera } from './camera-choice.ts'
import type { ScanHandlers } from './engine.ts'
import type { ScanForm } from './scan-form.ts'
import type { ScannerSettings } from './settings.ts'
import { useScanEngine } from './use-scan-engine.ts'

const CameraPanel = lazy(loadCameraPanel)

type ScanPanelProps = Omit<ScanHandlers, 'onTurn' | 'settings'> & {
  keepFocus: boolean
  submitLabel: string
  savedAs: string
  /** What else stands beside the camera's button. */
  children: ReactNode
}

function Question({ number, onAnswer }: { number: string; onAnswer: (answer: 'code' | 'quantity') => void }) {
  return (
    <div
      role="alert"
      className="flex flex-col gap-3 rounded-card border border-warn/40 bg-warn-soft p-3 text-warn-text"
    >
      <p>
        Is <span className="font-mono">{number}</span> a quantity or a barcode?
      </p>
      <div className="flex gap-2">
        <Button onClick={() => onAnswer('code')}>Barcode</Button>
        <Button onClick={() => onAnswer('quantity')}>Quantity</Button>
      </div>
    </div>
  )
}

function WaitingCodes({ form, onDiscard }: { form: ScanForm; onDiscard: () => void }) {
  const { waiting } = form
  return (
    <div className="rounded-card bg-sunken p-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <p>
          {waiting.length} scanned, waiting for {waiting.length === 1 ? 'its' : 'their'} quantity
        </p>
        <Button look="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </div>
      <p className="truncate font-mono">{waiting.join('  ')}</p>
    </div>
  )
}

/** Stands below the buttons, so that nothing moves under a thumb. */
function Doubled({ code }: { code: string }) {
  return (
    <p role="status" className="rounded-card bg-warn-soft p-3 text-sm text-warn-text">
      <span className="font-mono break-all">{code}</span> arrived twice in one scan. It is taken once.
    </p>
  )
}

/** What the company has set for its scanners; undefined until that is known. */
function useScannersOfCompany(): ScannerSettings | undefined {
  const { data } = useCompanySettings()
  return data && { prefix: data.scanner_prefix, suffix: data.scanner_suffix }
}

/** Barcode, quantity and Submit, within reach of a thumb; codes scanned meanwhile wait below. */
export function ScanPanel({ submitLabel, children, ...handlers }: ScanPanelProps) {
  const barcode = useRef<HTMLInputElement>(null)
  const quantity = useRef<HTMLInputElement>(null)
  const company = useScannersOfCompany()
  const { engine, form } = useScanEngine({ ...handlers, company, fields: { barcode, quantity } })
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
        <TextField
          ref={barcode}
          label="Barcode"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="next"
          placeholder="Scan or type"
          value={form.barcode}
          onChange={(event) => engine.type('barcode', event.target.value)}
        />
        <TextField
          ref={quantity}
          label="Quantity"
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="send"
          placeholder="0"
          value={form.quantity}
          // A wheel over a focused number field would change the count.
          onWheel={(event) => event.currentTarget.blur()}
          onFocus={engine.enterQuantity}
          onChange={(event) => engine.type('quantity', event.target.value)}
        />
      </div>
      {form.asking !== null && <Question number={form.asking} onAnswer={engine.answer} />}
      <div className="flex gap-3">
        <Button look="primary" submits className="flex-1">
          {submitLabel}
        </Button>
        <Button onClick={engine.next} disabled={form.barcode === '' && form.quantity === ''}>
          Next Item
        </Button>
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
      {form.doubled !== null && <Doubled code={form.doubled} />}
      {form.waiting.length > 0 && <WaitingCodes form={form} onDiscard={engine.discardWaiting} />}
    </form>
  )
}
