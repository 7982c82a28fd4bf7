import { expect, it } from 'vitest'
import { inPrinterFont } from './printer-font.ts'

it.each([
  ['Łożysko 6204 – 20 °C, 50 µF ™', 'Łożysko 6204 – 20 °C, 50 µF ™'],
  ['−20 ℃, M8‑40', '-20 °C, M8-40'],
  ['50 μF', '50 µF'],
  ['3⁄4″ 5′', '3/4" 5\''],
  ['１２３ ａｂｃ', '123 abc'],
  ['№5 ﬁne ⅛', 'No5 fine 1/8'],
  ['2⅛ in, 1⅝"', '2 1/8 in, 1 5/8"'],
  ['10⁶, M8①', '10?, M8?'],
  ['螺栓 M8', '?? M8'],
  ['Болт 😀', '???? ?'],
])('%s is printed as %s', (text, printed) => {
  expect(inPrinterFont(text)).toBe(printed)
})
