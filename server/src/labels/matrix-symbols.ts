import type { Matrix, MatrixSymbology } from '@inventory-manager/contract/labels/symbologies'

const symbols = {
  // Medium error correction; a quiet zone of 4 modules (ISO/IEC 18004).
  qr: { bcid: 'qrcode', options: 'eclevel=M', quiet: 4 },
  // A quiet zone of 1 module is required (ISO/IEC 16022); readers like 2.
  datamatrix: { bcid: 'datamatrix', options: '', quiet: 2 },
} as const

/** Makes QR or Data Matrix symbols. bwip-js is loaded here and not before, as few jobs need it. */
export async function loadMatrixEncoder(symbology: MatrixSymbology): Promise<(barcode: string) => Matrix> {
  const { default: bwip } = await import('@bwip-js/node')
  const { bcid, options, quiet } = symbols[symbology]
  return (barcode) => {
    const [symbol] = bwip.raw(bcid, barcode, options)
    if (symbol === undefined || !('pixs' in symbol)) throw new Error('A square symbol was expected.')
    const { pixs, pixx: width, pixy: height } = symbol
    const rows = Array.from({ length: height }, (_, row) =>
      Array.from(pixs.slice(row * width, (row + 1) * width), (dark) => (dark === 0 ? '0' : '1')).join(''),
    )
    return { rows, quiet }
  }
}
