/** A keystroke as the wedge sees it; `at` in milliseconds. */
export type Keystroke = { key: string; at: number }

/**
 * What was typed before an end key: the whole line, and whether it came in one burst, as scanners type.
 * `burst` is what came in one burst at its end, after something slower; the whole line where all of it did, else ''.
 * `isPrompt`: the end key hesitated no longer than a second.
 */
export type TypedLine = { text: string; isBurst: boolean; burst: string; isPrompt: boolean }

export type Wedge = {
  /**
   * Takes the next keystroke. Answers 'start' for the first of a line, 'pause' for one that may begin a burst after
   * something typed slowly, the line for its end key, and null otherwise.
   */
  press(stroke: Keystroke): 'start' | 'pause' | TypedLine | null
  /** What was typed of a line that has no end yet. */
  typed(): string
  /** The line is over, though no end key came: the next key begins another, unless it goes on with a burst. */
  cut(): void
  /** Whether a keystroke at this time would go on with a burst. */
  isBusy(at: number): boolean
  /** Whether something was typed just before this time, and has no end key yet. */
  isOpen(at: number): boolean
  /** Whether an end key at this time still ends the line before: some scanners send two, for CR and LF. */
  isEnding(at: number): boolean
  /** The same of what no person presses by chance, so that it may hesitate; 'open' where it ends a line that has no end yet. */
  ends(at: number): 'open' | 'ended' | null
  /** Whether a space at this time is one within a code, however late: behind other spaces alone somebody presses a button twice. */
  takesSpace(at: number): boolean
}

/** The longest pause inside a burst: wired scanners need 1 to 20 ms a key, wireless ones hesitate now and then. */
export const maxPauseMs = 120
const maxEndPauseMs = 1_000
export const leastCharacters = 3

const endKeys = new Set(['Enter', 'Tab'])

export function isEndKey(key: string): boolean {
  return endKeys.has(key)
}

/** Those that scanners press within a code; of the last two what they type comes as a text, if at all. */
const silentKeys = new Set([
  'Shift',
  'CapsLock',
  'NumLock',
  'Alt',
  'AltGraph',
  'Dead',
  'Unidentified',
  'Process',
])

/** Follows what is typed wherever the focus is, and tells a keyboard-wedge scanner by its speed and its end key. */
export function createWedge(): Wedge {
  let text = ''
  let steadyFrom = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let endedAt = Number.NEGATIVE_INFINITY
  let isCut = false

  function forget(): void {
    text = ''
    steadyFrom = 0
  }

  function end(pauseMs: number): TypedLine | null {
    const tail = text.slice(steadyFrom)
    const burst = pauseMs <= maxPauseMs && tail.length >= leastCharacters ? tail : ''
    const isPrompt = pauseMs <= maxEndPauseMs
    const line = { text, isBurst: burst !== '' && burst === text, burst, isPrompt }
    forget()
    if (line.text === '') return null
    endedAt = lastAt
    return line
  }

  function add(key: string, fast: boolean): 'start' | 'pause' | null {
    const first = text === ''
    if (!first && !fast) steadyFrom = text.length
    text += key
    if (first) return 'start'
    return fast ? null : 'pause'
  }

  return {
    press({ key, at }) {
      if (silentKeys.has(key)) return null
      const pauseMs = at - lastAt
      const fast = pauseMs <= maxPauseMs
      lastAt = at
      if (isCut && !fast) forget()
      isCut = false
      if (isEndKey(key)) return end(pauseMs)
      if (key.length === 1) return add(key, fast)
      forget()
      return null
    },
    typed: () => (isCut ? '' : text),
    cut: () => {
      isCut = true
    },
    isBusy: (at) => text.length - steadyFrom > 1 && at - lastAt <= maxPauseMs,
    isOpen: (at) => text !== '' && at - lastAt <= maxPauseMs,
    isEnding: (at) => text === '' && at - endedAt <= maxPauseMs,
    takesSpace: (at) => text.trim() !== '' && at - lastAt <= maxEndPauseMs,
    ends(at) {
      if (text !== '') return at - lastAt <= maxEndPauseMs ? 'open' : null
      return at - endedAt <= maxEndPauseMs ? 'ended' : null
    },
  }
}
