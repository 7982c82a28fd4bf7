import { expect, it } from 'vitest'
import { begunWith } from './begun-component.ts'

it('a text with a space that nothing was found for is the description of a new component, and else its barcode', () => {
  expect(begunWith('Hex bolt M8')).toEqual({ barcode: '', description: 'Hex bolt M8' })
  expect(begunWith('NEW-1')).toEqual({ barcode: 'NEW-1', description: '' })
  expect(begunWith('')).toEqual({ barcode: '', description: '' })
})
