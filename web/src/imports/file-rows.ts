/** A row with its line in the file, from 1. */
export type FileRow = { line: number; cells: string[] }

/** Rows of a file as they are read, with the share of the file that is read by then, from 0 to 1. */
export type FilePieces = AsyncGenerator<{ rows: FileRow[]; share: number }, void, undefined>
