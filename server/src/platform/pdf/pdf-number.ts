/** A real number as PDF writes it (ISO 32000-1, 7.3.3): at most six decimals, never an exponent. */
export function pdfNumber(value: number): string {
  return String(Number(value.toFixed(6)))
}
