import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { AbsentProps } from './not-loaded.tsx'

/** In place of a dialog that did not arrive; what is behind it goes on. */
export function NotLoadedDialog({ askAgain, onClose }: AbsentProps & { onClose: () => void }) {
  const [asking, setAsking] = useState(false)

  async function ask(): Promise<void> {
    setAsking(true)
    await askAgain()
    setAsking(false)
  }

  return (
    <Dialog
      title="This part could not be loaded"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={asking} onClick={() => void ask()}>
          Try again
        </Button>
      }
    >
      <p>Is there a network? It is asked for again as soon as there is one. What you scanned is kept.</p>
    </Dialog>
  )
}
