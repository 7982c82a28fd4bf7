import { describe, expect, it } from 'vitest'
import { numbersIn, tradeItemIn } from './gs1.ts'

const known =
  (...codes: string[]) =>
  (code: string) =>
    codes.includes(code)
const nobody = known()
const gtinIn = (scanned: string, isKnownCode: (code: string) => boolean) =>
  tradeItemIn(scanned, isKnownCode)?.code ?? null

describe('a trade item number with lot and expiry', () => {
  it.each([
    ['as a scanner types it', '0109506000134352172512311041AB'],
    ['with separators', '010950600013435210LOT-7\u001D17251231'],
    ['with the name of its symbol', ']C10109506000134352'],
    ['with the name of its symbol and a separator', ']d2\u001D010950600013435210A'],
    ['with brackets, as a decoder writes it', '(01)09506000134352(10)LOT(17)251231'],
    ['behind a lot', '10LOT\u001D0109506000134352'],
    ['behind a date', '112511230109506000134352'],
    ['behind a weight', '31030012500109506000134352'],
    ['in a Digital Link', 'https://example.com/some/01/09506000134352/10/LOT?17=251231'],
    ['in a Digital Link of thirteen digits', 'HTTPS://EXAMPLE.COM/01/9506000134352'],
  ])('is found %s', (_, scanned) => {
    expect(gtinIn(scanned, known('9506000134352'))).toBe('9506000134352')
  })

  it('is found as a company writes it', () => {
    expect(gtinIn('(01)09506000134352', known('09506000134352'))).toBe('09506000134352')
  })

  it('is of the contents of a logistic unit where that is what is named', () => {
    expect(gtinIn('00340123450000000018029506000134352' + '1', nobody)).toBeNull()
    const isKnown = known('9506000134352')
    expect(tradeItemIn('003401234500000000180209506000134352', isKnown)).toEqual({
      code: '9506000134352',
      isOfContents: true,
    })
    expect(tradeItemIn('(02)09506000134352(37)48', nobody)?.isOfContents).toBe(true)
    expect(tradeItemIn('(01)09506000134352(30)48', nobody)?.isOfContents).toBe(false)
  })

  it('is as short as it is on the goods', () => {
    expect(gtinIn('(01)00000040170725', nobody)).toBe('40170725')
    expect(gtinIn('(01)00036000291452', nobody)).toBe('0036000291452')
    expect(gtinIn('(01)19506000134359', nobody)).toBe('19506000134359')
  })
})

describe('a number with other zeros before it', () => {
  it.each([
    ['09506000134352', '9506000134352'],
    ['9506000134352', '09506000134352'],
    ['036000291452', '00036000291452'],
    ['00036000291452', '0036000291452'],
    ['40170725', '00000040170725'],
    ['00000040170725', '40170725'],
  ])('is the one that is known: %s for %s', (scanned, listed) => {
    expect(gtinIn(scanned, known(listed))).toBe(listed)
    expect(gtinIn(scanned, nobody)).toBeNull()
    expect(numbersIn(scanned)).toContain(listed)
  })

  it('is another one with an indicator before it, as of an outer case, or with a wrong check digit', () => {
    expect(gtinIn('19506000134359', known('9506000134352', '09506000134352'))).toBeNull()
    expect(gtinIn('09506000134353', known('9506000134353'))).toBeNull()
  })
})

describe('a UPC-E', () => {
  it.each([
    ['04252614', '0042100005264'],
    ['01234531', '0012300000451'],
    ['01234543', '0012340000053'],
    ['01234565', '0012345000065'],
    ['11234520', '0112200003450'],
  ])('is the whole number where that is known: %s', (short, whole) => {
    expect(gtinIn(short, known(whole))).toBe(whole)
    expect(gtinIn(short, nobody)).toBeNull()
  })
})

describe('what may be another code', () => {
  const elements = '010950600013435210LOT'

  it('stays as it is where nobody knows its number, unless nothing but GS1 is written so', () => {
    expect(gtinIn(elements, nobody)).toBeNull()
    expect(gtinIn(`]C1${elements}`, nobody)).toBe('9506000134352')
  })

  it('stays as it is where its check digit is wrong', () => {
    expect(gtinIn('0109506000134353', known('9506000134353'))).toBeNull()
    expect(gtinIn('(01)09506000134353', nobody)).toBeNull()
  })

  it.each(['01-A', 'https://example.com/page/01', '10LOT0109506000134352', '', '0'])(
    'stays as it is: %j',
    (scanned) => {
      expect(gtinIn(scanned, () => true)).toBeNull()
    },
  )
})
