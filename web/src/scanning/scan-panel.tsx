import { Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import Camera from 'lucide-react/icons/camera'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Loading } from '../ui/loading.tsx'
import { isCameraWanted, wantCamera } from './camera-choice.ts'
import { cameraPanel } from './camera-part.tsx'
import type { ScanEngine } from './engine.ts'
import type { ScanHandlers } from './form-state.ts'
import { useScannersOfCompany } from './company-scanners.ts'
import { useKeyboardAway } from './keyboard-choice.ts'
import { useBringIntoView, useTurnedAt } from './in-view.ts'
import { useFormPart, useScanEngine } from './use-scan-engine.ts'

/**
 * What a panel over the fields follows, and how it brings itself into view together with them: for what somebody did at a time, in
 * milliseconds, and not where they have turned to something else since.
 */
export type PanelPart = { engine: ScanEngine; bringIntoView: (doneAt: number) => void }

type ScanPanelProps = Omit<ScanHandlers, 'onTurn' | 'settings'> & {
  keepFocus: boolean
  submitLabel: string
  session: string
  /** What stands over the fields: what was scanned last, and what came of it. */
  renderPanel: (part: PanelPart) => ReactNode
  /** What stands with the buttons below the fields. */
  beside: ReactNode
}

type FieldProps = { engine: ScanEngine; ref: RefObject<HTMLInputElement | null> }

function BarcodeField({ engine, ref }: FieldProps) {
  const barcode = useFormPart(engine, (form) => form.barcode)
  const isKeyboardAway = useKeyboardAway()
  return (
    <TextField
      ref={ref}
      label="Barcode"
      inputMode={isKeyboardAway ? 'none' : 'text'}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="next"
      placeholder="Scan or type"
      value={barcode}
      onChange={(event) => engine.type('barcode', event.target.value)}
    />
  )
}

/** Without the focus while the browser turns its wheel, and with it again for what is typed next. */
function keepFromWheel(field: HTMLInputElement): void {
  if (document.activeElement !== field) return
  field.blur()
  setTimeout(() => field.focus({ preventScroll: true }))
}

function QuantityField({ engine, ref }: FieldProps) {
  const quantity = useFormPart(engine, (form) => form.quantity)
  const isTally = useFormPart(engine, (form) => form.isTally)
  useEffect(() => {
    // What is typed takes the place of a number that was counted by scans.
    if (isTally && document.activeElement === ref.current) ref.current?.select()
  }, [isTally, quantity, ref])
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
      onWheel={(event) => keepFromWheel(event.currentTarget)}
      onFocus={(event) => {
        if (isTally) event.currentTarget.select()
        engine.enterQuantity()
      }}
      onChange={(event) => engine.type('quantity', event.target.value)}
    />
  )
}

function NextButton({ engine }: { engine: ScanEngine }) {
  const isEmpty = useFormPart(engine, ({ barcode, quantity }) => barcode === '' && quantity === '')
  return (
    <Button onClick={engine.next} rests={isEmpty}>
      Next Item
    </Button>
  )
}

/**
 * The panel, barcode, quantity and Submit, within reach of a thumb. What a key changes is drawn again, and nothing else.
 */
export function ScanPanel({ submitLabel, renderPanel, beside, ...handlers }: ScanPanelProps) {
  const top = useRef<HTMLDivElement>(null)
  const barcode = useRef<HTMLInputElement>(null)
  const quantity = useRef<HTMLInputElement>(null)
  const company = useScannersOfCompany()
  const bringIntoView = useBringIntoView(top)
  const turnedAt = useTurnedAt(top)
  const engine = useScanEngine({ ...handlers, company, bringIntoView, fields: { barcode, quantity } })
  const [camera, setCamera] = useState(isCameraWanted)

  function showDoneAt(doneAt: number): void {
    if (turnedAt.current <= doneAt) bringIntoView()
  }

  function switchCamera(on: boolean): void {
    wantCamera(on)
    setCamera(on)
  }

  return (
    <form
      className="flex flex-col gap-3"
      // What is wrong is said in the panel, in this product's words.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        engine.submit()
      }}
    >
      <div ref={top} className="flex scroll-mt-16 flex-col gap-3 desk:scroll-mt-26">
        {camera && (
          <Suspense fallback={<Loading label="Opening the camera..." />}>
            <cameraPanel.Content
              onCode={engine.take}
              isScanning={engine.takesEnd}
              onClose={() => switchCamera(false)}
            />
          </Suspense>
        )}
        {renderPanel({ engine, bringIntoView: showDoneAt })}
        <div className="grid grid-cols-[2fr_1fr] gap-3">
          <BarcodeField engine={engine} ref={barcode} />
          <QuantityField engine={engine} ref={quantity} />
        </div>
        <div className="flex gap-3">
          <Button look="primary" submits className="flex-1">
            {submitLabel}
          </Button>
          <NextButton engine={engine} />
        </div>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1 max-sm:*:px-2 max-sm:*:whitespace-nowrap">
        {!camera && (
          <Button onClick={() => switchCamera(true)}>
            <Camera aria-hidden className="size-5" />
            Camera
          </Button>
        )}
        <Button onClick={engine.undo}>Undo last</Button>
        {beside}
      </div>
    </form>
  )
}
