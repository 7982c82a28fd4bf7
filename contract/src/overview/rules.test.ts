import { expect, it } from 'vitest'
import { usageTone } from './rules.ts'

it('the bar of labels used is green, yellow from 75 % and red from 90 %', () => {
  expect([0, 0.7499].map(usageTone)).toEqual(['good', 'good'])
  expect([0.75, 0.8999].map(usageTone)).toEqual(['warn', 'warn'])
  expect([0.9, 1, 1.2].map(usageTone)).toEqual(['bad', 'bad', 'bad'])
})
