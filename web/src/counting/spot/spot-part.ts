import { NotLoadedDialog } from '../../ui/not-loaded-dialog.tsx'
import { part } from '../../ui/part.tsx'

/** The dialog in which an administrator plans spot counts of a location. */
export const spotDialog = part(async () => (await import('./spot-dialog.tsx')).SpotDialog, NotLoadedDialog)
