import { defaultDpi, printerDpis, type PrinterDpi } from '@inventory-manager/contract/labels/bars'
import { maxCopies } from '@inventory-manager/contract/labels/limits'
import type { LabelFormat } from '@inventory-manager/contract/labels/endpoints'
import {
  labelPageKeys,
  layoutSheet,
  positionOf,
  type LabelPageKey,
  type PrintOffset,
  type Sheet,
  type SheetMargins,
} from '@inventory-manager/contract/labels/sheets'
import { defaultLabelSize, labelSizes, type LabelSizeKey } from '@inventory-manager/contract/labels/sizes'
import { symbologyKeys, type Symbology } from '@inventory-manager/contract/labels/symbologies'
import { z } from '@inventory-manager/contract/zod'
import { useEffect, useState } from 'react'
import { parseJson } from '../lib/json.ts'

/** What is chosen for one print: what kind of labels, on what, and how many of each. */
export type PrintChoice = {
  size: LabelSizeKey
  page: LabelPageKey
  /** The first free position of the sheet, from 1. */
  first: number
  /** 0 while what stands in its field is no number of copies: nothing can be made then. */
  copies: number
  symbology: Symbology
  dpi: PrinterDpi
  format: LabelFormat
}

/** How one printer has to be corrected; lengths in inches. */
export type PrinterProfile = { offset: PrintOffset; margins: SheetMargins | null }

/** What stands there, or else this: what is stored may be older than the program, or somebody's own. */
const orElse = z.catch

const length = z.number().check(z.minimum(-4), z.maximum(4))
const stored = z.object({
  page: orElse(z.enum(labelPageKeys), 'roll'),
  symbology: orElse(z.enum(symbologyKeys), 'code128'),
  dpi: orElse(z.literal(printerDpis), defaultDpi),
  profiles: orElse(
    z.record(
      z.string(),
      z.object({
        offset: z.object({ x: length, y: length }),
        margins: z.nullable(z.object({ left: length, top: length, columnGap: length, rowGap: length })),
      }),
    ),
    {},
  ),
})
type Stored = z.output<typeof stored>

const storageKey = 'labelPrinter'
const nothingStored: Stored = { page: 'roll', symbology: 'code128', dpi: defaultDpi, profiles: {} }

function readStored(): Stored {
  const text = localStorage.getItem(storageKey)
  if (text === null) return nothingStored
  const parsed = stored.safeParse(parseJson(text))
  return parsed.success ? parsed.data : nothingStored
}

const plainOnce: Pick<PrintChoice, 'first' | 'format'> = { first: 1, format: 'pdf' }
const plainProfile: PrinterProfile = { offset: { x: 0, y: 0 }, margins: null }

export type Printing = {
  choice: PrintChoice
  profile: PrinterProfile
  sheet: Sheet
  setChoice: (change: Partial<Omit<PrintChoice, 'copies'>>) => void
  typedCopies: string
  typeCopies: (typed: string) => void
  setProfile: (profile: PrinterProfile) => void
  /** Begins the next file behind the labels of this one: on a sheet those places are used. */
  goOnBehind: (labels: number) => void
}

/** Whole copies from what was typed; 0 for what is none, or too many. */
export function copiesOf(typed: string): number {
  const copies = /^\d+$/.test(typed.trim()) ? Number(typed) : 0
  return copies <= maxCopies ? copies : 0
}

/** The choices for a print. Page, symbol, resolution and one profile a kind of page and label stay on this device. */
export function usePrinting(fixedSize: LabelSizeKey | null = null): Printing {
  const [kept, setKept] = useState(readStored)
  const [size, setSize] = useState<LabelSizeKey>(fixedSize ?? defaultLabelSize)
  const [once, setOnce] = useState(plainOnce)
  const [typedCopies, typeCopies] = useState('1')
  useEffect(() => {
    // How a printer is adjusted is so in every tab.
    const follow = ({ key }: StorageEvent) => {
      if (key === storageKey) setKept((now) => ({ ...now, profiles: readStored().profiles }))
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
  const profileKey = `${kept.page} ${size}`
  const profile = kept.profiles[profileKey] ?? plainProfile
  const { page, symbology, dpi } = kept
  const sheet = layoutSheet({ size, page, dpi, ...profile })

  const first = Math.min(once.first, Math.max(1, sheet.cells.length))

  /** Stores what is changed over what another tab may have stored since, such as how a printer is adjusted. */
  function keep(change: Partial<Omit<Stored, 'profiles'>>, adjusted: Stored['profiles'] = {}): void {
    const newest = readStored()
    const profiles = { ...newest.profiles, ...adjusted }
    setKept({ ...kept, ...change, profiles })
    try {
      localStorage.setItem(storageKey, JSON.stringify({ ...newest, ...change, profiles }))
    } catch (error) {
      // Where the browser has no room for it, it is for this page.
      if (!(error instanceof DOMException)) throw error
    }
  }

  return {
    choice: {
      ...once,
      copies: copiesOf(typedCopies),
      size,
      page,
      symbology,
      dpi,
      first,
    },
    profile,
    sheet,
    typedCopies,
    typeCopies,
    setChoice(change) {
      const { size: newSize = size, first: newFirst, format: newFormat, ...lasting } = change
      const before = (lasting.page ?? page) === page ? once : plainOnce
      // Labels of another size are another sheet, of which none is used.
      const firstBefore = newSize === size ? before.first : plainOnce.first
      setSize(newSize)
      setOnce({ first: newFirst ?? firstBefore, format: newFormat ?? before.format })
      keep(lasting)
    },
    setProfile: (next) => keep({}, { [profileKey]: next }),
    goOnBehind: (labels) =>
      setOnce((before) => ({ ...before, first: positionOf(labels, first, sheet).cell + 1 })),
  }
}

/** What a label call says about the paper and the printer. */
export function paperOf({ choice, profile }: Pick<Printing, 'choice' | 'profile'>) {
  const { width, height } = labelSizes[choice.size]
  const { page, dpi } = choice
  return { labelSize: { width, height }, page, dpi, margins: profile.margins, offset: profile.offset }
}

/** The same with what is printed on it. */
export function jobOf(printing: Pick<Printing, 'choice' | 'profile'>) {
  const { first, copies, symbology, format } = printing.choice
  return { ...paperOf(printing), first, copies, symbology, format }
}
