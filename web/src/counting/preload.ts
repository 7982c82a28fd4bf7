import { preloadCamera } from '../scanning/camera-choice.ts'
import { part } from '../ui/part.tsx'
import { loadDecideDialog } from './load-decide-dialog.ts'

/** The administrators' dialog of the weekly count. */
export async function loadHighVolumeDialog() {
  return { default: (await import('./high-volume-dialog.tsx')).HighVolumeDialog }
}

/** When and where a component was counted, for a tap on its row. */
export async function loadHistoryDialog() {
  return { default: (await import('./history-dialog.tsx')).HistoryDialog }
}

/** What is left and not there, entered as 0. */
export async function loadAbsentDialog() {
  return { default: (await import('./absent-dialog.tsx')).AbsentDialog }
}

export async function loadScannerDialog() {
  return { default: (await import('../scanning/scanner-dialog.tsx')).ScannerDialog }
}

/** The question of a weekly count whether a SKU is counted a second time. */
export const countAgain = part(async () => (await import('./count-again.tsx')).CountAgain)

export const unsettledLists = part(async () => (await import('./unsettled-lists.tsx')).UnsettledLists)

/** Loads all that a count screen can open while there is a network: later there may be none. */
export async function preloadCount(): Promise<void> {
  await Promise.all([
    loadHighVolumeDialog(),
    loadHistoryDialog(),
    loadScannerDialog(),
    loadAbsentDialog(),
    loadDecideDialog(),
    countAgain.load(),
    unsettledLists.load(),
    preloadCamera(),
  ])
}
