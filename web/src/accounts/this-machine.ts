/** Whether an address leads every device to itself: another one that opens it finds nothing there. */
export function isOfThisMachine(origin: string): boolean {
  const { hostname } = new URL(origin)
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}
