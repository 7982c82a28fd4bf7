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

/** Reads the bar and matrix codes that goods carry out of pictures. */
export function createDecoder(): { read: (picture: HTMLVideoElement) => Promise<string[]> } {
  const detector = new BarcodeDetector({
    formats: [
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
    ],
  })
  return {
    read: async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue),
  }
}
