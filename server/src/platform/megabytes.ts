/** How large something is that is read by people who keep a disk: in megabytes of a million bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
