/** A keystroke as the wedge sees it; `at` in milliseconds. */
export type Keystroke = { key: string; at: number }

/** What was typed before an end key: the whole line, and whether it came in one burst, as scanners type. */
export type TypedLine = { text: string; isBurst: boolean }

export type Wedge = {
  /** Takes the next keystroke. Answers 'start' for the first of a line, the line for its end key, and null otherwise. */
  press(stroke: Keystroke): 'start' | TypedLine | null
}

/** The longest pause inside a burst: wired scanners need 1 to 20 ms a key, wireless ones hesitate now and then. */
const maxPauseMs = 120
const leastCharacters = 3

const silentKeys = new Set(['Shift', 'CapsLock', 'AltGraph', 'Dead'])

/** Follows what is typed wherever the focus is, and tells a keyboard-wedge scanner by its speed and its end key. */
export function createWedge(): Wedge {
  let text = ''
  let steady = true
  let lastAt = Number.NEGATIVE_INFINITY

  function end(fast: boolean): TypedLine | null {
    const line = { text, isBurst: fast && steady && text.length >= leastCharacters }
    text = ''
    return line.text === '' ? null : line
  }

  return {
    press({ key, at }) {
      if (silentKeys.has(key)) return null
      const fast = at - lastAt <= maxPauseMs
      lastAt = at
      if (key === 'Enter' || key === 'Tab') return end(fast)
      if (key.length !== 1) {
        text = ''
        return null
      }
      steady = text === '' || (steady && fast)
      text += key
      return text.length === 1 ? 'start' : null
    },
  }
}
