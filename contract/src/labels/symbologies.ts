export const matrixSymbologies = ['qr', 'datamatrix'] as const
export const symbologyKeys = ['code128', ...matrixSymbologies] as const

export type Symbology = (typeof symbologyKeys)[number]
export type MatrixSymbology = (typeof matrixSymbologies)[number]

/** What a barcode is drawn as. Code 128 unless asked: laser scanners read nothing else of these. */
export const symbologies = {
  code128: { key: 'code128', name: 'Code 128' },
  qr: { key: 'qr', name: 'QR code' },
  datamatrix: { key: 'datamatrix', name: 'Data Matrix' },
} as const satisfies { [K in Symbology]: { key: K; name: string } }

/** A square symbol: rows from the top, each a text of '1' (dark) and '0', one for each module. */
export interface Matrix {
  rows: string[]
  /** Empty modules it needs on each side. */
  quiet: number
}
