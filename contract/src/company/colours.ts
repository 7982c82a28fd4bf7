const channels = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/

/** Relative luminance of a colour '#rrggbb' (WCAG 2.2); NaN for anything else. */
function luminance(colour: string): number {
  const found = channels.exec(colour)
  const [red = NaN, green = NaN, blue = NaN] = (found ?? []).slice(1).map((hex) => {
    const share = Number.parseInt(hex, 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of a colour '#rrggbb' with white text on it, 1 to 21 (WCAG 2.2, 1.4.3); NaN for anything else. */
export function contrastWithWhite(colour: string): number {
  return 1.05 / (luminance(colour) + 0.05)
}

/** What WCAG 2.2 AA asks of text. */
export const leastContrast = 4.5

/** What is said of a colour with less. */
export const tooLight = 'This colour is too light for white text.'
