import { preloadCamera } from '../scanning/camera-part.tsx'
import { NotLoadedDialog } from '../ui/not-loaded-dialog.tsx'
import { NotLoadedPart } from '../ui/not-loaded-part.tsx'
import { part } from '../ui/part.tsx'
import { decideDialog } from './unsettled/decide-part.ts'

/** The administrators' dialog of the weekly count. */
export const highVolumeDialog = part(
  async () => (await import('./high-volume/high-volume-dialog.tsx')).HighVolumeDialog,
  NotLoadedDialog,
)

/** When and where a component was counted, for a tap on its row. */
export const historyDialog = part(
  async () => (await import('./history-dialog.tsx')).HistoryDialog,
  NotLoadedDialog,
)

/** What is left and not there, entered as 0. */
export const absentDialog = part(
  async () => (await import('./absent-dialog.tsx')).AbsentDialog,
  NotLoadedDialog,
)

/** What is left of a count, before it is put down. */
export const finishDialog = part(
  async () => (await import('./finish-dialog.tsx')).FinishDialog,
  NotLoadedDialog,
)

/** Something to be said of a scan. */
export const noteDialog = part(async () => (await import('./note-dialog.tsx')).NoteDialog, NotLoadedDialog)

/** The question before a command code leads away from scans that wait. */
export const leaveDialog = part(async () => (await import('./leave-dialog.tsx')).LeaveDialog, NotLoadedDialog)

/** The question before the counts of a location are cleared. */
export const resetDialog = part(async () => (await import('./reset-dialog.tsx')).ResetDialog, NotLoadedDialog)

/** What is to be counted, to be printed. */
export const sheetDialog = part(async () => (await import('./sheet-dialog.tsx')).SheetDialog, NotLoadedDialog)

export const scannerDialog = part(
  async () => (await import('../scanning/scanner-dialog.tsx')).ScannerDialog,
  NotLoadedDialog,
)

/** The question of a weekly count whether a SKU is counted a second time. */
export const countAgain = part(async () => (await import('./count-again.tsx')).CountAgain, NotLoadedPart)

/** The offer to add what was counted of a SKU before. */
export const countedBefore = part(
  async () => (await import('./counted-before.tsx')).CountedBefore,
  NotLoadedPart,
)

/** What to know about scans that are not on the server, where there are any. */
export const queueNotices = part(
  async () => (await import('./queue-notices.tsx')).QueueNotices,
  NotLoadedPart,
)

export const unsettledLists = part(
  async () => (await import('./unsettled/unsettled-lists.tsx')).UnsettledLists,
  NotLoadedPart,
)

/** Loads all that a count screen can open while there is a network: later there may be none. */
export async function preloadCount(): Promise<void> {
  await Promise.all([
    ...[
      highVolumeDialog,
      historyDialog,
      scannerDialog,
      absentDialog,
      leaveDialog,
      finishDialog,
      noteDialog,
      resetDialog,
      decideDialog,
    ].map((each) => each.load()),
    countAgain.load(),
    countedBefore.load(),
    unsettledLists.load(),
    queueNotices.load(),
    preloadCamera(),
  ])
}
