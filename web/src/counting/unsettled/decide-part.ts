import { NotLoadedDialog } from '../../ui/not-loaded-dialog.tsx'
import { part } from '../../ui/part.tsx'

/** The dialog in which a person decides on an entry that was not taken. */
export const decideDialog = part(
  async () => (await import('./decide-dialog.tsx')).DecideDialog,
  NotLoadedDialog,
)
