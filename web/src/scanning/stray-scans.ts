import { createWedge, isEndKey, leastCharacters, type Keystroke, type TypedLine } from './wedge.ts'

/** How long, in milliseconds, an end key after a scan is the second one of its scanner, and not a person's. */
const secondEndMs = 1_000

/** Nobody types here: a scanner may hesitate anywhere, and before its end key. */
function isScan({ text, burst, isPrompt }: TypedLine): boolean {
  return burst !== '' || (isPrompt && text.trim().length >= leastCharacters)
}

/** Some scanners end a code with the control characters of a line's end, which browsers have other plans for. */
const endCharacters = new Set(['j', 'm'])

/** Whether a key that is pressed with Ctrl ends a code. */
export function isEndCharacter(key: string): boolean {
  return endCharacters.has(key.toLowerCase())
}

/**
 * Follows the keys of a screen that takes no scans. Answers 'end' where a scan ends, 'part' for what else of one would press the
 * button that has the focus: a space within it, and the second of two end keys. Null: not of a scan, or harmless.
 */
export function createStrayScans(): (stroke: Keystroke) => 'end' | 'part' | null {
  const wedge = createWedge()
  let endedAt = Number.NEGATIVE_INFINITY
  return (stroke) => {
    const { key, at } = stroke
    if (isEndKey(key) && at - endedAt <= secondEndMs) return 'part'
    const isWithin = key === ' ' && wedge.takesSpace(at)
    const pressed = wedge.press(stroke)
    if (pressed === null || typeof pressed === 'string' || !isScan(pressed)) return isWithin ? 'part' : null
    endedAt = at
    return 'end'
  }
}

/** Some browsers search the page for what is typed behind these. */
const findingKeys = new Set(['/', "'"])

/** Fields that text is typed into. */
const typedInto = ':not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])'

/**
 * Whether a key would do something of its own where no field has the focus: letters choose an option of a list. On a screen for
 * scanning they are the scanner's.
 */
export function isForBrowser({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLSelectElement) return key.length === 1 && key !== ' '
  return findingKeys.has(key) && !(target instanceof HTMLInputElement && target.matches(typedInto))
}
