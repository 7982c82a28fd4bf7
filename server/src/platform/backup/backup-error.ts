import { SentenceError } from '../sentence-error.ts'

/** Why a backup cannot be made or restored: one sentence with the remedy. */
export class BackupError extends SentenceError {}

/**
 * What can be wrong with the file itself: its end is missing, its content changed (of which its own checksums may tell), or it
 * never was a backup.
 */
export type FileFault = 'cut' | 'damaged' | 'sums_differ' | 'foreign'

const damaged = 'This backup is damaged or not complete. Nothing of it was restored.'
const sentences = {
  cut: damaged,
  damaged,
  sums_differ: 'This backup is damaged: its checksums do not agree. Nothing of it was restored.',
  foreign: 'This file is no backup of Inventory Manager that this version can read.',
} as const satisfies Record<FileFault, string>

/** The file is at fault. The sentence is for whoever restores it. */
export class BackupFileError extends BackupError {
  readonly fault: FileFault

  constructor(fault: FileFault, options?: ErrorOptions) {
    super(sentences[fault], options)
    this.fault = fault
  }
}
