import { describe, expect, it } from 'vitest'
import { emptyForm, nextForm, readSubmission, takeCode } from './scan-form.ts'

const isKnownCode = (code: string) => code === '4006381333931' || code === '12345'
const submit = (form: Partial<typeof emptyForm>, how: { confirmed?: boolean } = {}) =>
  readSubmission(
    { ...emptyForm, ...form },
    { isKnownCode, confirmed: false, isScanned: false, added: 0, ...how },
  )

describe('codes scanned while a quantity is missing', () => {
  it('wait in their order and come up one by one', () => {
    const form = ['A', 'B', 'C'].reduce((last, code) => takeCode(last, code, Object.is), emptyForm)
    expect(form).toMatchObject({ barcode: 'A', waiting: ['B', 'C'] })
    expect(nextForm(form)).toMatchObject({ barcode: 'B', quantity: '', waiting: ['C'] })
  })

  it('are taken once where one is the other in another writing, as bars and in a GS1 symbol', () => {
    const isSame = (one: string, other: string) => one.padStart(13, '0') === other.padStart(13, '0')
    const form = ['036000291452', '0036000291452'].reduce(
      (last, code) => takeCode(last, code, isSame),
      emptyForm,
    )
    expect(form).toMatchObject({ barcode: '036000291452', waiting: [], again: '0036000291452' })
  })
})

describe('pressing Submit', () => {
  it('needs a barcode and a quantity', () => {
    expect(submit({ quantity: '5' })).toEqual({ kind: 'barcode_missing' })
    expect(submit({ barcode: 'A' })).toEqual({ kind: 'quantity_missing' })
    expect(submit({ barcode: 'A', quantity: '1.5' })).toEqual({ kind: 'quantity_invalid' })
  })

  it('takes a count of nothing', () => {
    expect(submit({ barcode: 'A', quantity: '0' })).toEqual({ kind: 'entry', barcode: 'A', quantity: 0 })
  })

  it('asks when the quantity may be a barcode', () => {
    expect(submit({ barcode: 'A', quantity: '12345' })).toEqual({ kind: 'ask', number: '12345' })
    expect(submit({ barcode: 'A', quantity: '1000000' })).toEqual({ kind: 'ask', number: '1000000' })
    expect(submit({ barcode: 'A', quantity: '999999' })).toEqual({
      kind: 'entry',
      barcode: 'A',
      quantity: 999999,
    })
  })

  it('asks when it begins with a zero, as codes do and quantities do not', () => {
    for (const number of ['0000001234', '0123']) {
      expect(submit({ barcode: 'A', quantity: number })).toEqual({ kind: 'ask', number })
      expect(submit({ barcode: 'A', quantity: number }, { confirmed: true })).toMatchObject({ kind: 'entry' })
    }
    expect(submit({ barcode: 'A', quantity: '012' })).toMatchObject({ kind: 'entry', quantity: 12 })
  })

  it('takes it when the person has said that it is a quantity', () => {
    expect(submit({ barcode: 'A', quantity: '1000000' }, { confirmed: true })).toEqual({
      kind: 'entry',
      barcode: 'A',
      quantity: 1000000,
    })
  })
})
