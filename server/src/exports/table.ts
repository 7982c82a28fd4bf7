/** A value of a cell: text stays text, whatever it looks like. */
export type Cell = string | number | null

/** A table to be written: its heads, and its rows in the pieces they are read in. */
export type Table = { name: string; heads: readonly string[]; pieces: AsyncIterable<Cell[][]> }
