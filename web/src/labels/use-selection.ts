import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { useMemo, useState } from 'react'

export type Selection = {
  /** The chosen components, in the order of the catalogue. */
  chosen: Component[]
  barcodes: ReadonlySet<string>
  toggle: (barcode: string) => void
  add: (items: readonly Component[]) => void
  replace: (items: readonly Component[]) => void
  leaveOut: (items: readonly { barcode: string }[]) => void
}

/** The components chosen for labels; `first` is the barcode of one that is chosen already. */
export function useSelection(components: readonly Component[], first: string | null): Selection {
  const [barcodes, setBarcodes] = useState<ReadonlySet<string>>(new Set(first === null ? [] : [first]))
  const chosen = useMemo(
    () => components.filter((item) => barcodes.has(item.barcode)),
    [components, barcodes],
  )
  return {
    chosen,
    barcodes,
    toggle(barcode) {
      const next = new Set(barcodes)
      if (!next.delete(barcode)) next.add(barcode)
      setBarcodes(next)
    },
    add: (items) => setBarcodes(new Set([...barcodes, ...items.map(({ barcode }) => barcode)])),
    replace: (items) => setBarcodes(new Set(items.map(({ barcode }) => barcode))),
    leaveOut(items) {
      const next = new Set(barcodes)
      for (const { barcode } of items) next.delete(barcode)
      setBarcodes(next)
    },
  }
}
