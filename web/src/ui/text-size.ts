/** The size of texts that heights in pixels are meant for; a person may have set another one in the browser. */
const usual = 16

/** A height in pixels, in styles: as much more as texts are larger. */
export const inRem = (pixels: number): string => `${pixels / usual}rem`

/** By how much texts are larger than usual. */
export function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / usual
}
