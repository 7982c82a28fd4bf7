/** A keystroke as the wedge sees it; `at` in milliseconds. */
export type Keystroke = { key: string; at: number }

export type Wedge = {
  /**
   * Takes the next keystroke. Answers 'start' for one that may begin a burst, the whole code for the end key of a
   * burst, and null otherwise.
   */
  press(stroke: Keystroke): 'start' | { code: string } | null
}

/** The longest pause inside a burst. Scanners type with 1 to 20 ms between keys; nobody types 3 keys at this pace. */
const maxPauseMs = 40
const leastCharacters = 3

/**
 * Tells a keyboard-wedge scanner from a typist, by speed and by its end key (Enter or Tab), wherever the focus is.
 * A code of fewer than three characters is left to the focused field, which takes it like typed text.
 */
export function createWedge(): Wedge {
  let characters: string[] = []
  let lastAt = Number.NEGATIVE_INFINITY

  return {
    press({ key, at }) {
      const fast = at - lastAt <= maxPauseMs
      if (key === 'Shift' || key === 'CapsLock') return null
      lastAt = at
      if (key === 'Enter' || key === 'Tab') {
        const code = characters.join('')
        const complete = fast && characters.length >= leastCharacters
        characters = []
        return complete ? { code } : null
      }
      if (key.length !== 1) {
        characters = []
        return null
      }
      if (fast && characters.length > 0) {
        characters.push(key)
        return null
      }
      characters = [key]
      return 'start'
    },
  }
}
