/** What the own font of thermal printers lacks: it has Latin letters and the signs of Windows-1252. */
const lacking = /[^ -~\u00a0-\u024f–—‘’‚“”„†‡•…‰‹›€™]/gu

/** A line as a thermal printer sets it in its own font: a question mark for what that lacks. */
export function inPrinterFont(text: string): string {
  return text.replaceAll(lacking, '?')
}
