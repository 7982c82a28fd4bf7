import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { useMemo, useState } from 'react'
import type { OwnCopies } from './own-copies.ts'

export type Selection = {
  /** The chosen components, in the order of the catalogue. */
  chosen: Component[]
  barcodes: ReadonlySet<string>
  /** What was typed as the copies of some of them. */
  ownCopies: OwnCopies
  typeCopies: (barcode: string, typed: string) => void
  toggle: (barcode: string) => void
  /** To what is chosen by then, whenever this was asked for. */
  add: (items: readonly Component[]) => void
  replace: (items: readonly Component[]) => void
  /** Of what is chosen by then, whenever this was asked for. */
  leaveOut: (items: readonly { barcode: string }[]) => void
}

/** The components chosen for labels; `first` is the barcode of one that is chosen already. */
export function useSelection(components: readonly Component[], first: string | null): Selection {
  const [barcodes, setBarcodes] = useState<ReadonlySet<string>>(new Set(first === null ? [] : [first]))
  const [ownCopies, setOwnCopies] = useState<OwnCopies>(new Map())
  const chosen = useMemo(
    () => components.filter((item) => barcodes.has(item.barcode)),
    [components, barcodes],
  )

  /** What is not chosen any more has no copies of its own, should it be chosen again. */
  function choose(next: ReadonlySet<string>): void {
    setBarcodes(next)
    setOwnCopies(new Map([...ownCopies].filter(([barcode]) => next.has(barcode))))
  }

  return {
    chosen,
    barcodes,
    ownCopies,
    typeCopies: (barcode, typed) => setOwnCopies(new Map(ownCopies).set(barcode, typed)),
    toggle(barcode) {
      const next = new Set(barcodes)
      if (!next.delete(barcode)) next.add(barcode)
      choose(next)
    },
    add: (items) => setBarcodes((now) => new Set([...now, ...items.map(({ barcode }) => barcode)])),
    replace: (items) => choose(new Set(items.map(({ barcode }) => barcode))),
    leaveOut(items) {
      const out = new Set(items.map(({ barcode }) => barcode))
      setBarcodes((now) => new Set([...now].filter((barcode) => !out.has(barcode))))
      setOwnCopies((now) => new Map([...now].filter(([barcode]) => !out.has(barcode))))
    },
  }
}
