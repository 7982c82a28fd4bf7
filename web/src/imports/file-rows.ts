/** A row with its line in the file, from 1. */
export type FileRow = { line: number; cells: string[] }

/** A row as it is sent; `fault` says why it cannot be taken, where that is known. */
export type StagedRow = FileRow & { fault?: string }

/**
 * Rows of a file as they are read, with the share of the file that is read by then, from 0 to 1, and what separates its cells; null in a
 * workbook, and before that is known.
 */
export type FilePieces = AsyncGenerator<
  { rows: FileRow[]; share: number; separator: string | null },
  void,
  undefined
>
