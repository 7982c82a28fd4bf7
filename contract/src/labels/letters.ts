/** Firefox has none before version 125: there an accent that stands by itself may be parted from its letter. */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : null

/** The letters of a text, each what is one character to the eye. */
export function* lettersOf(text: string): Generator<string, void, undefined> {
  if (segmenter === null) yield* text
  else for (const { segment } of segmenter.segment(text)) yield segment
}

/** Where the letter begins that a place in a text is within. */
export function startOfLetter(text: string, at: number): number {
  if (segmenter !== null) return segmenter.segment(text).containing(at)?.index ?? at
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at
}
