/** Where the chosen location is kept (specification 3, 'Local storage holds'). */
export const locationKey = 'selectedLocation'

/** The location that is kept on this device, as it is. */
export function readLocation(): string | null {
  return localStorage.getItem(locationKey)
}
