import { cleanLine } from './fit-text.ts'

/** Scripts of which the fonts of labels have letters, if not all of them; Common and Inherited are digits and marks of several. */
const scripts =
  'Arabic Armenian Bopomofo Canadian_Aboriginal Common Coptic Cyrillic Devanagari Georgian Greek Han Hangul ' +
  'Hebrew Hiragana Inherited Katakana Lao Latin Lisu Nko Ogham Old_Italic Tifinagh'
const drawn = scripts.replaceAll(/\w+ ?/g, (script) => `\\p{Script=${script.trim()}}`)

/** Letters, their marks and digits of other scripts, and the Han characters outside of the block of the usual ones. */
const lacking = new RegExp(`(?![${drawn}])[\\p{L}\\p{M}\\p{N}]|[\\u3400-\\u4DBF\\u{20000}-\\u{3FFFF}]`, 'gu')

/** The characters of texts, each once, that no font of the labels has: a PDF has boxes for them. Rare ones of a script that has a font are not told. */
export function charactersWithoutFont(texts: Iterable<string>): string[] {
  const found = new Set<string>()
  for (const text of texts) for (const [character] of cleanLine(text).matchAll(lacking)) found.add(character)
  return [...found]
}

/** Letters that the printed file sets side by side, where others move and join them, and marks that it does not place. */
const sideBySide = /[\p{Script=Devanagari}\u0591-\u05C7\u0610-\u061A\u064B-\u065F]/u

/** Whether a screen draws the signs of a text otherwise than the printed file has them. */
export function isDrawnOtherwise(text: string): boolean {
  return sideBySide.test(text)
}
