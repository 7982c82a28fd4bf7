import { createContext } from 'react'

/** A scan of the label of a bin, and which one of a count it is. */
export type BinScan = { bin: string; nth: number }

/** The bin whose label was scanned last, of which the list shows what lies there; each scan is another. */
export const SoughtBin = createContext<BinScan | null>(null)
