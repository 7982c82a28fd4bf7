import X from 'lucide-react/icons/x'
import { Button } from '../ui/button.tsx'
import type { AbsentProps } from '../ui/not-loaded.tsx'
import { NotLoadedPart } from '../ui/not-loaded-part.tsx'
import { part } from '../ui/part.tsx'

function CameraNotLoaded({ onRetry, onClose }: AbsentProps & { onClose: () => void }) {
  return (
    <section aria-label="Camera" className="flex flex-col gap-3">
      <NotLoadedPart onRetry={onRetry} />
      <div>
        <Button onClick={onClose}>
          <X aria-hidden className="size-5" />
          Close camera
        </Button>
      </div>
    </section>
  )
}

/** The camera's part of the page, which most devices never need. */
export const cameraPanel = part(async () => (await import('./camera-panel.tsx')).CameraPanel, CameraNotLoaded)

/** Loads what the camera needs while there is a network, where the device has a camera. */
export async function preloadCamera(): Promise<void> {
  if (!('mediaDevices' in navigator)) return
  const devices = await navigator.mediaDevices.enumerateDevices()
  if (!devices.some(({ kind }) => kind === 'videoinput')) return
  const { prepareDecoder } = await import('./decoder.ts')
  await Promise.all([cameraPanel.load(), prepareDecoder()])
}
