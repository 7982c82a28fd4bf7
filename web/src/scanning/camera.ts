export type Camera = {
  stream: MediaStream
  /** Null where the device has none. */
  switchTorch: ((on: boolean) => Promise<void>) | null
  /** Calls where the device ends the pictures, and this page does not. */
  onEnded: (tell: () => void) => void
  close: () => void
}

/** What keeps a camera from opening, for people. */
const problems: Record<string, string> = {
  NotAllowedError: 'The browser may not use the camera. Allow it for this site, then open the camera again.',
  NotFoundError: 'This device has no camera.',
  NotReadableError: 'Another program is using the camera. Close it there, then open it again here.',
}

export function cameraProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return problems[name] ?? 'The camera could not be opened.'
}

export const takenAway =
  'The camera stopped: another program may have taken it. Close it here and open it again.'

export const insecurePage = 'The camera works only where the address of this page begins with https.'

/** Opens the camera on the back of the device where there is one; rejects with a DOMException. */
export async function openCamera(): Promise<Camera> {
  const video = { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } }
  const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false })
  const [track] = stream.getVideoTracks()
  const hasTorch = track !== undefined && 'torch' in track.getCapabilities()
  return {
    stream,
    switchTorch: hasTorch
      ? async (on) => {
          const wish: MediaTrackConstraintSet & { torch: boolean } = { torch: on }
          await track.applyConstraints({ advanced: [wish] })
        }
      : null,
    onEnded: (tell) => track?.addEventListener('ended', tell),
    close() {
      for (const part of stream.getTracks()) part.stop()
    },
  }
}
