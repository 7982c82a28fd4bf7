/** Hands a file to the browser's downloads. */
export function downloadFile(file: { blob: Blob; name: string }): void {
  const url = URL.createObjectURL(file.blob)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  // The download has taken its own hold of the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
