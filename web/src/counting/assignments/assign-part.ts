import { NotLoadedDialog } from '../../ui/not-loaded-dialog.tsx'
import { part } from '../../ui/part.tsx'

/** The dialog in which an administrator says who counts a location. */
export const assignDialog = part(
  async () => (await import('./assign-dialog.tsx')).AssignDialog,
  NotLoadedDialog,
)
