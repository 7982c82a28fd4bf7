/** Gives the width of a text in points at a font size of 1 point. */
export type MeasureText = (text: string) => number

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Makes one printable line of any string: accents joined, spaces and controls to one space, no invisible signs. */
export function cleanLine(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** The text itself, or its longest beginning that fits `width` (points at size 1) with '…' behind it. */
export function cutToWidth(text: string, width: number, measure: MeasureText): string {
  if (measure(text) <= width) return text
  let fits = 0
  let tooLong = text.length
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (measure(cutAt(text, middle)) <= width) fits = middle
    else tooLong = middle
  }
  return cutAt(text, fits)
}

/** Cuts before the visible character that `place` falls into. */
function cutAt(text: string, place: number): string {
  const end = graphemes.segment(text).containing(place)?.index ?? place
  return `${text.slice(0, end).trimEnd()}…`
}
