import { createWedge, isEndKey, type Keystroke } from './wedge.ts'

/** How long, in milliseconds, an end key after a scan is the second one of its scanner, and not a person's. */
const secondEndMs = 1_000

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
    const isWithin = key === ' ' && wedge.ends(at) === 'open'
    const pressed = wedge.press(stroke)
    if (pressed === null || typeof pressed === 'string' || pressed.burst === '')
      return isWithin ? 'part' : null
    endedAt = at
    return 'end'
  }
}

/** Letters choose an option of a list that has the focus: on a screen for scanning they are the scanner's. */
export function isTypingIntoList({ key, target }: KeyboardEvent): boolean {
  return target instanceof HTMLSelectElement && key.length === 1 && key !== ' '
}
