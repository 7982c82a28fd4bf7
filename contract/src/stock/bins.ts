const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

type Binned = { bin?: string | undefined; barcode: string }

/** Compares by bins as people walk: A-2 before A-10, what has none last; within a bin by barcode, by its characters. */
export function compareBins(one: Binned, other: Binned): number {
  const [bin = '', otherBin = ''] = [one.bin, other.bin]
  if (bin === '' || otherBin === '') {
    if (bin !== otherBin) return bin === '' ? 1 : -1
  } else {
    const between = order.compare(bin, otherBin)
    if (between !== 0) return between
  }
  if (one.barcode === other.barcode) return 0
  return one.barcode < other.barcode ? -1 : 1
}
