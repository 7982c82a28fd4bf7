import { addBarcode } from '@inventory-manager/contract/stock/alias-endpoints'
import { reinstateComponent, retireComponent } from '@inventory-manager/contract/stock/retire-endpoints'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readCode } from '../scanning/codes.ts'
import { codesToAsk } from '../scanning/meant.ts'
import { readScannerSettings, type ScannerSettings } from '../scanning/settings.ts'
import type { BarcodeLine } from './several-lines.ts'

/** What the company has set for its scanners, where that is known, and what stops the work. */
type Given = { company: ScannerSettings | undefined; signal: AbortSignal }

export type Change = {
  value: string
  label: string
  hint: string
  /** Whether a line has other barcodes behind the component's own. */
  several: boolean
  /** What was done, for so many components. */
  told: (components: string) => string
  /** Without a key: what is so already stays so, and is answered as done. */
  work: (line: BarcodeLine, given: Given) => Promise<void>
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.code === 'not_found'

/**
 * Does something with the component that a text means: as it stands, or else without what a scanner adds. Throws what the server
 * says against it.
 */
async function forComponent(
  text: string,
  { company }: Given,
  work: (barcode: string) => Promise<unknown>,
): Promise<void> {
  const codes = codesToAsk(text, company)
  for (const [index, code] of codes.entries()) {
    try {
      await work(code)
      return
    } catch (error) {
      if (index === codes.length - 1 || !isNotFound(error)) throw error
    }
  }
}

const oneEach = 'One barcode in each line: typed, scanned, or pasted from a spreadsheet.'

export const retire: Change = {
  value: 'retire',
  label: 'Retire',
  hint: `${oneEach} They leave all lists and are no longer counted; their history stays.`,
  several: false,
  told: (components) => `${components} retired.`,
  work: async ({ text }, given) => {
    await forComponent(text, given, (barcode) =>
      call(retireComponent, { body: { barcode } }, { signal: given.signal }),
    )
  },
}

export const changes: readonly Change[] = [
  retire,
  {
    value: 'bring_back',
    label: 'Bring back',
    hint: `${oneEach} They return to all lists and must be counted again.`,
    several: false,
    told: (components) => `${components} brought back.`,
    work: async ({ text }, given) => {
      await forComponent(text, given, (barcode) =>
        call(reinstateComponent, { body: { barcode } }, { signal: given.signal }),
      )
    },
  },
  {
    value: 'add_barcodes',
    label: 'Add other barcodes',
    hint: 'In each line a component’s barcode and behind it the other ones it has, such as those of suppliers, separated by tab, semicolon or comma.',
    several: true,
    told: (components) => `Other barcodes added to ${components}.`,
    work: async ({ barcodes: [first = '', ...others] }, given) => {
      const scanners = readScannerSettings(given.company)
      for (const other of others) {
        // As a count reads a code that it does not know.
        const alias = readCode(other, scanners, () => false).code
        await forComponent(first, given, (barcode) =>
          call(addBarcode, { body: { barcode, alias } }, { signal: given.signal }),
        )
      }
    },
  },
]
