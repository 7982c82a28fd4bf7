/** What is known of a component before its dialog is opened. */
export type Begun = { barcode: string; description: string }

/** What a text that nothing was found for is of a new component: with a space in it its description, else its barcode. */
export function begunWith(text: string): Begun {
  return /\s/.test(text) ? { barcode: '', description: text } : { barcode: text, description: '' }
}
