import { countMessages } from '@inventory-manager/contract/counting/messages'
import { getLocation } from '@inventory-manager/contract/locations'
import { importComponents } from '@inventory-manager/contract/stock/endpoints'
import { maxBarcodeLength, maxDescriptionLength } from '@inventory-manager/contract/values'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isRefusal } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { componentPath } from '../lib/paths.ts'
import { readCode } from '../scanning/codes.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { readScannerSettings } from '../scanning/settings.ts'
import { useLocatedSession } from '../session/session.ts'
import { TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useShown } from '../ui/use-shown.ts'
import type { Begun } from './begun-component.ts'
import { useDoubtfulQuantity } from './doubtful-quantity.ts'
import { goOnAtEnter } from './enter-key.ts'
import { findComponent } from './find-component.ts'
import { FormDialog } from './form-dialog.tsx'
import { optionalNumberFault } from './whole-number.ts'

type Faults = { barcode?: string; quantity?: string }

function faultsOf({ barcode, quantity }: { barcode: string; quantity: string }): Faults {
  const faults: Faults = {}
  if (barcode === '') faults.barcode = 'Scan or type a barcode.'
  if (barcode.length > maxBarcodeLength)
    faults.barcode = countMessages.codeTooLong(maxBarcodeLength, barcode.length)
  const ofQuantity = optionalNumberFault(quantity)
  if (ofQuantity !== null) faults.quantity = ofQuantity
  return faults
}

/** Why a barcode cannot be a new component's; null where it can. */
async function takenWords(barcode: string): Promise<string | null> {
  const found = await findComponent(barcode)
  if (found === null) return null
  const words = `This barcode belongs to ${found.barcode} already.`
  return found.retired === null ? words : `${words} It is retired: bring it back on its page.`
}

const existed = 'This barcode has become a component meanwhile.'

/** Imports one row where nothing has its barcode; answers why not, or null where it is a component now. */
function useCreating(): (row: { barcode: string }) => Promise<string | null> {
  const once = useOnce()
  // What was sent and not answered may be there: it is sent again under its key, not taken for somebody else's.
  const unanswered = useRef<string | null>(null)
  return async (row) => {
    const asked = JSON.stringify(row)
    const taken = unanswered.current === asked ? null : await takenWords(row.barcode)
    if (taken !== null) return taken
    unanswered.current = asked
    try {
      const { created } = await once(row, (idempotencyKey) =>
        call(importComponents, { query: { existing: 'keep' }, body: [row] }, { idempotencyKey }),
      )
      return created === 1 ? null : existed
    } catch (error) {
      if (isRefusal(error)) unanswered.current = null
      throw error
    }
  }
}

/** Makes one component, with the stock that is here where somebody gives it, and shows it. */
export function NewComponentDialog({ begun, onClose }: { begun: Begun; onClose: () => void }) {
  const { location } = useLocatedSession()
  const [barcode, setBarcode] = useState(begun.barcode)
  const [description, setDescription] = useState(begun.description)
  const [quantity, setQuantity] = useState('')
  const { faults, accept, forget } = useFaults<keyof Faults>()
  const doubt = useDoubtfulQuantity(barcode)
  const create = useCreating()
  const company = useScannersOfCompany()
  const [, navigate] = useLocation()
  const isShown = useShown()
  const barcodeField = useRef<HTMLInputElement>(null)
  const descriptionField = useRef<HTMLInputElement>(null)
  const isGiven = begun.barcode !== ''
  useEffect(() => (isGiven ? descriptionField : barcodeField).current?.focus(), [isGiven])
  const { name, quantityField } = getLocation(location)

  async function save(form: HTMLFormElement): Promise<string | null> {
    // As a count reads a code that it does not know.
    const { code } = readCode(barcode, readScannerSettings(company), () => false)
    if (!accept(faultsOf({ barcode: code, quantity }), form)) return null
    if (quantity !== '') doubt.ask(quantity)
    const stock = quantity === '' ? {} : { [quantityField]: Number(quantity) }
    const words = description.trim()
    const fault = await create({ barcode: code, ...(words === '' ? {} : { description: words }), ...stock })
    if (fault === null) return code
    accept({ barcode: fault }, form)
    return null
  }

  return (
    <FormDialog
      title="New component"
      submit="Create"
      onClose={onClose}
      onSaved={(created) => {
        // Who has cancelled is somewhere else, with what they type next.
        if (isShown()) navigate(componentPath(created))
      }}
      save={save}
    >
      <TextField
        ref={barcodeField}
        label="Barcode"
        name="barcode"
        hint="Scan or type it."
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="next"
        value={barcode}
        error={faults.barcode}
        onKeyDown={(event) => goOnAtEnter(event, descriptionField.current)}
        onChange={(event) => {
          setBarcode(event.target.value)
          forget({ barcode })
        }}
      />
      <TextField
        ref={descriptionField}
        label="Description"
        name="description"
        hint="Optional."
        autoComplete="off"
        maxLength={maxDescriptionLength}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label={`Stock at ${name}`}
        name="quantity"
        hint="Optional: what is there now."
        inputMode="numeric"
        autoComplete="off"
        value={quantity}
        error={faults.quantity}
        onKeyDown={doubt.follow}
        onChange={(event) => {
          doubt.forget()
          setQuantity(event.target.value.trim())
          forget({ quantity })
        }}
      />
    </FormDialog>
  )
}
