import { BinaryBitmap, DataMatrixReader, HybridBinarizer, RGBLuminanceSource } from '@zxing/library'
import type { Picture } from './printer.ts'

/** What the JavaScript ZXing, which shares no code with ours in WebAssembly, reads on a picture: one Data Matrix. */
export function decodeWithZxingJs({ data, width, height }: Picture): string {
  const shades = new Uint8ClampedArray(width * height).map((_, dot) => data[dot * 4] ?? 255)
  const image = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(shades, width, height)))
  return new DataMatrixReader().decode(image).getText()
}
