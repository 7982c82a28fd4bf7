const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** The time of a scan of today, to the second. */
export function timeOfScan(timestamp: string): string {
  return time.format(new Date(timestamp))
}
