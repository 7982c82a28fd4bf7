import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import wasmUrl from 'zxing-wasm/writer/zxing_writer.wasm?url'

/** Makes the QR code of a link, on this device: nobody else learns it. An SVG path of squares, `size` modules wide. */
export async function drawLink(address: string): Promise<{ path: string; size: number }> {
  await prepareZXingModule({
    overrides: {
      locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path),
    },
    fireImmediately: true,
  })
  const options = { format: 'QRCode', options: 'ecLevel=M', addQuietZones: false } as const
  const { error, symbol } = await writeBarcode(address, options)
  if (error !== '') throw new Error(error)
  const { data, width } = symbol
  const dark = Array.from(data.keys()).filter((place) => data[place] === 0)
  const path = dark.map((place) => `M${place % width} ${Math.floor(place / width)}h1v1h-1z`).join('')
  return { path, size: width }
}
