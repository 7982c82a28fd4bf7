const key = 'count_camera'

/** Whether this device scanned with its camera last. */
export function isCameraWanted(): boolean {
  return localStorage.getItem(key) === 'on'
}

export function wantCamera(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off')
}

/** The camera's part of the page, which most devices never need. */
export async function loadCameraPanel() {
  return { default: (await import('./camera-panel.tsx')).CameraPanel }
}

/** Loads what the camera needs while there is a network, where the device has a camera. */
export async function preloadCamera(): Promise<void> {
  if (!('mediaDevices' in navigator)) return
  const devices = await navigator.mediaDevices.enumerateDevices()
  if (!devices.some(({ kind }) => kind === 'videoinput')) return
  const { prepareDecoder } = await import('./decoder.ts')
  await Promise.all([loadCameraPanel(), prepareDecoder()])
}
