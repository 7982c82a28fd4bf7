import { startOfLetter } from './letters.ts'

/** Gives the width of a text in points at a font size of 1 point. */
export type MeasureText = (text: string) => number

/** A line of text and the font size in points at which it fits. */
export interface FittedText {
  text: string
  fontSize: number
}

interface Room {
  /** Points. */
  width: number
  fontSize: number
  measure: MeasureText
}

/** Half-width katakana, and signs that stand for several, such as ㈱ and ㎏: no font of the labels has them. */
const written = /[\uFF61-\uFF9F]+|[\u3220-\u325F\u3280-\u33FF]/g
/** Numbers in circles above ten, likewise; in brackets, so that they do not run into a number before them. */
const circled = /[\u246A-\u2473\u3251-\u325F\u32B1-\u32BF]/g

/**
 * Makes one printable line of any string: accents composed, signs that no font has written out, spaces and controls to
 * one space, no invisible signs.
 */
export function cleanLine(text: string): string {
  return text
    .replace(circled, (number) => `(${number.normalize('NFKC')})`)
    .replace(written, (signs) => signs.normalize('NFKC'))
    .normalize('NFC')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Keeps the whole text and lowers the font size until it fits. */
export function shrinkToFit(text: string, room: Room): FittedText {
  const width = room.measure(text)
  return { text, fontSize: width === 0 ? room.fontSize : Math.min(room.fontSize, room.width / width) }
}

/** Keeps the whole text on up to so many lines of like length, at a font size at which the longest fits. */
export function breakToFit(text: string, room: Room & { mostLines: number }): FittedText[] {
  const wanted = Math.ceil((room.measure(text) * room.fontSize) / room.width)
  const count = Math.min(Math.max(wanted, 1), room.mostLines, text.length)
  const length = Math.ceil(text.length / count)
  const lines = Array.from({ length: Math.ceil(text.length / length) }, (_, line) =>
    text.slice(line * length, (line + 1) * length),
  )
  const fontSize = Math.min(...lines.map((line) => shrinkToFit(line, room).fontSize))
  return lines.map((line) => ({ text: line, fontSize }))
}

/** Keeps the font size: the text itself, or its longest beginning that fits with '…' behind it. */
export function cutToFit(text: string, room: Room): FittedText {
  const { fontSize, measure } = room
  const widest = room.width / fontSize
  if (measure(text) <= widest) return { text, fontSize }
  let fits = 0
  let tooLong = text.length
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (measure(withEllipsis(text, middle)) <= widest) fits = middle
    else tooLong = middle
  }
  return { text: withEllipsis(text, startOfLetter(text, fits)), fontSize }
}

function withEllipsis(text: string, end: number): string {
  return `${text.slice(0, end).trimEnd()}…`
}
