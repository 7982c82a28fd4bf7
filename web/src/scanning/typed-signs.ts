import type { ScanForm } from './scan-form.ts'

/** Digits and signs that a quantity may be typed with, in whatever country: never a code that somebody typed slowly. */
const numberLike = /^[\d.,+\-\s'’]+$/

/** Whether a text may be a quantity, however it is written. */
export function isNumberLike(text: string): boolean {
  return numberLike.test(text)
}

/** Whether a quantity was typed with signs between its digits, which a field for numbers leaves out: 1,5 would be 15. */
export function isSeparated(text: string): boolean {
  return /\D/.test(text) && isNumberLike(text)
}

/**
 * Remembers a sign that was put behind a digit of the quantity, by whatever keyboard and whatever is corrected after it, until the
 * quantity is emptied or typed over. A number of scanned pieces has none.
 */
export function createTypedSigns(getForm: () => ScanForm) {
  let isMarked = false
  let newest: string | null = null

  function look(): boolean {
    const { quantity, isTally } = getForm()
    if (isTally || quantity === '' || quantity === newest) isMarked = false
    return isMarked
  }

  return {
    isMarked: look,
    mark: (marked: boolean) => (isMarked = marked),
    /** Takes what is about to be put into the field; null where something is taken out. */
    insert(text: string | null): void {
      const typed = getForm().quantity + (text ?? '')
      isMarked = look() || (text !== null && /\d\D/.test(typed) && isNumberLike(typed))
      newest = text
    },
  }
}
