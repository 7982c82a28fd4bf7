import '@fontsource/noto-sans/400.css'
import type { MeasureText } from '@inventory-manager/contract/labels/fit-text'
import { useEffect, useState } from 'react'

/** The font of the printed labels; the browser loads the alphabets it needs. */
export const labelFont = '"Noto Sans", sans-serif'

/** Measured at a size at which rounding does not matter. */
const fontSize = 100

function createMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return (text) => text.length / 2
  context.font = `${fontSize}px ${labelFont}`
  // The printed letters are set side by side.
  context.fontKerning = 'none'
  return (text) => context.measureText(text).width / fontSize
}

/** Measures text as it is printed. The function is another one once the font for the given text is there. */
export function useMeasureText(text: string): MeasureText {
  const [measure, setMeasure] = useState(createMeasure)
  useEffect(() => {
    let wanted = true
    document.fonts
      .load(`${fontSize}px ${labelFont}`, text)
      .then((fonts) => {
        if (wanted && fonts.length > 0) setMeasure(createMeasure)
      })
      .catch(reportError)
    return () => {
      wanted = false
    }
  }, [text])
  return measure
}
