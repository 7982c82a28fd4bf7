import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Product } from './product-lines.ts'

export type Storing = { products: readonly Product[]; setExisting: boolean; location: LocationCode }

/** Products of one call: the stock of those that exist is set, or left alone. */
type Batch = { existing: 'set' | 'keep'; products: Product[] }

/**
 * Remembers what is stored of products whose labels are still to be made. That is not stored again, but the stock of a
 * component that was made here follows a corrected quantity; one from before keeps its stock unless it is to be set.
 */
export function createStoredProducts() {
  const stored = new Map<string, string>()
  /** The quantity that a component was made with; null once another was sent. */
  const made = new Map<string, number | null>()

  function isCorrected({ barcode, quantity }: Product): boolean {
    return made.has(barcode) && made.get(barcode) !== quantity
  }

  return {
    /** What is left to be stored, in at most two calls. */
    missing({ products, setExisting, location }: Storing): Batch[] {
      const left = products.filter(
        (product) => stored.get(product.barcode) !== JSON.stringify({ product, setExisting, location }),
      )
      const batches: Batch[] = [
        { existing: 'keep', products: left.filter((product) => !setExisting && !isCorrected(product)) },
        { existing: 'set', products: left.filter((product) => setExisting || isCorrected(product)) },
      ]
      return batches.filter((batch) => batch.products.length > 0)
    },
    /** Before a call, which may be done although its answer is lost. */
    begin(products: readonly Product[], known: { has: (barcode: string) => boolean }): void {
      for (const product of products) {
        if (isCorrected(product)) made.set(product.barcode, null)
        else if (!known.has(product.barcode)) made.set(product.barcode, product.quantity)
      }
    },
    finish(products: readonly Product[], { setExisting, location }: Omit<Storing, 'products'>): void {
      for (const product of products) {
        stored.set(product.barcode, JSON.stringify({ product, setExisting, location }))
      }
    },
    /** The labels are made: from now on these are components like all others. */
    clear(): void {
      stored.clear()
      made.clear()
    },
  }
}
