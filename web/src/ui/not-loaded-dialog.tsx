import { Dialog } from './dialog.tsx'
import type { AbsentProps } from './not-loaded.tsx'
import { TryAgain } from './try-again.tsx'

/** In place of a dialog that did not arrive; what is behind it goes on. */
export function NotLoadedDialog({ onRetry, onClose }: AbsentProps & { onClose: () => void }) {
  return (
    <Dialog
      title="This part could not be loaded"
      onClose={onClose}
      actions={<TryAgain look="primary" onRetry={onRetry} />}
    >
      <p>Check your connection. It is tried again as soon as there is one. What you scanned is kept.</p>
    </Dialog>
  )
}
