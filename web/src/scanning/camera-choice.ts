const key = 'count_camera'

/** Whether this device scanned with its camera last. */
export function isCameraWanted(): boolean {
  return localStorage.getItem(key) === 'on'
}

export function wantCamera(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off')
}
