import { preloadCamera } from '../scanning/camera-choice.ts'

/** The administrators' dialog of the weekly count. */
export async function loadHighVolumeDialog() {
  return { default: (await import('./high-volume-dialog.tsx')).HighVolumeDialog }
}

/** Loads all that a count screen can open while there is a network: later there may be none. */
export async function preloadCount(): Promise<void> {
  await Promise.all([loadHighVolumeDialog(), preloadCamera()])
}
