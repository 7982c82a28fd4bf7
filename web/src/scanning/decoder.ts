import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

let prepared: Promise<unknown> | undefined

/** Loads the decoder, from this application's own server; once. */
export async function prepareDecoder(): Promise<void> {
  prepared ??= prepareZXingModule({
    overrides: {
      locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path),
    },
    fireImmediately: true,
  }).catch((error: unknown) => {
    // Without a network now; perhaps there is one the next time.
    prepared = undefined
    throw error
  })
  await prepared
}

const usual = [
  'code_128',
  'code_39',
  'code_93',
  'ean_13',
  'ean_8',
  'upc_a',
  'upc_e',
  'itf',
  'qr_code',
  'data_matrix',
] as const

/** GS1 DataBar, which is rare: to look for it makes a picture take an eighth longer. */
const dataBar = ['databar', 'databar_expanded', 'databar_limited'] as const

/**
 * Reads the bar and matrix codes that goods carry out of pictures. DataBar is looked for in every second one, and in each as long as
 * one is there.
 */
export function createDecoder(): { read: (picture: HTMLVideoElement) => Promise<string[]> } {
  const detectors = {
    usual: new BarcodeDetector({ formats: [...usual] }),
    all: new BarcodeDetector({ formats: [...usual, ...dataBar] }),
  }
  let next: keyof typeof detectors = 'all'

  async function read(picture: HTMLVideoElement): Promise<string[]> {
    const present = next
    const codes = await detectors[present].detect(picture)
    const hasDataBar = codes.some(({ format }) => format.startsWith('databar'))
    next = hasDataBar || present === 'usual' ? 'all' : 'usual'
    return codes.map(({ rawValue }) => rawValue)
  }

  return { read }
}
