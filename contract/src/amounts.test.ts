import { expect, it } from 'vitest'
import { createSignFinder, isOpenAmount, readUnitCost } from './amounts.ts'

it.each([
  ['12', 12],
  ['0', 0],
  ['1234', 1234],
  ['12.5', 12.5],
  ['12,50', 12.5],
  ['.5', 0.5],
  ['0,0125', 0.0125],
  ['0.125', 0.125],
  ['12.500000', 12.5],
  ['12345.678', 12345.678],
  ['1.234,56', 1234.56],
  ['1,234.56', 1234.56],
  ['1.234.567', 1_234_567],
  ['1,234,567.8', 1_234_567.8],
  ['1 234,5', 1234.5],
  ['1\u00A0234,50\u00A0€', 1234.5],
  ['1\u202F234,5', 1234.5],
  ['1 234.567', 1234.567],
  ["1'234.50", 1234.5],
  ['CHF 1’234.–', 1234],
  ['Fr.12.50', 12.5],
  ['Fr.12', 12],
  ['12,-', 12],
  ['1.200,-- €', 1200],
  ['1,23,456.75', 123_456.75],
  ['₹ 12,34,567', 1_234_567],
  ['$0.0125', 0.0125],
  ['US$ 12.50', 12.5],
  ['12.50 USD', 12.5],
  ['eur 12,50', 12.5],
  ['12,50 zł', 12.5],
  ['R$12,50', 12.5],
  ['12.5 kr.', 12.5],
  ['+12.5', 12.5],
  [' 9,999,999.9999 ', 9_999_999.9999],
  // Spreadsheets reckon with more decimals than are kept.
  ['12,34567', 12.3457],
  ['9,999,999.99991', 9_999_999.9999],
])('%j is a unit cost of %d', (text, cost) => {
  expect([readUnitCost(text, '.'), readUnitCost(text, ',')]).toEqual([cost, cost])
})

it.each([
  ['1.234', 1.234, 1234],
  ['1,234', 1234, 1.234],
  ['$999,999', 999_999, 999.999],
  ['12.000 €', 12, 12_000],
])('%j is %d where a point stands before decimals, and %d where a comma does', (text, point, comma) => {
  expect([readUnitCost(text, '.'), readUnitCost(text, ',')]).toEqual([point, comma])
  expect(isOpenAmount(text)).toBe(true)
})

it.each([
  ['', 'no_amount'],
  ['many', 'no_amount'],
  ['n/a', 'no_amount'],
  ['-', 'no_amount'],
  ['12 pcs', 'no_amount'],
  ['ca. 12', 'no_amount'],
  ['12 / 13', 'no_amount'],
  ['12%', 'no_amount'],
  ['12.', 'no_amount'],
  ['1.2.3', 'no_amount'],
  ['1,23.456', 'no_amount'],
  ['1.234,567,8', 'no_amount'],
  ['12 50', 'no_amount'],
  ['1 2345', 'no_amount'],
  ['01.02.2026', 'no_amount'],
  ['1.25E+3', 'no_amount'],
  ['-12.5', 'negative'],
  ['12,50-', 'negative'],
  ['−1', 'negative'],
  ['-$5', 'negative'],
  ['$ -5', 'negative'],
  ['($12.50)', 'negative'],
  ['0.00001', 'too_small'],
  ['10000000', 'over'],
  ['12,345,678', 'over'],
])('%j is no unit cost: %s', (text, fault) => {
  expect([readUnitCost(text, '.'), readUnitCost(text, ',')]).toEqual([fault, fault])
})

it.each([
  [['1.234', '12,50', '7'], ','],
  [['1.234', '12.50', '7'], '.'],
  [['1,234', '0.125'], '.'],
  [['1.234', '1.234.567'], ','],
  [['1.234', '1 234,5'], ','],
  [['1.234', '5,-'], ','],
  // One that was typed otherwise among many.
  [['1.234', '12,50', '3.5', '0,99'], ','],
  // Thousands that are not set apart elsewhere are not here.
  [['1.234', '1500'], '.'],
  [['1,234', '1500', '2,125'], ','],
  [['1.234', '2.500', '950'], null],
  [['1.234', '1 500'], null],
  [['1.234', '12.50', '12,50'], null],
  [['7', 'many', ''], null],
])('of %j this stands before decimals: %s', (cells, sign) => {
  const finder = createSignFinder()
  for (const cell of cells) finder.add(cell)
  expect(finder.find()).toBe(sign)
})

it.each([
  [['1.234', '12,50', '0,99'], true],
  [['1.234', '12,50', '3.5', '0,99'], false],
  // Where others tell it, what may be both says nothing against them.
  [['1.234', '1,234', '0.5'], true],
  [['1.234', '2.500', '1500'], true],
  [['1.234', '2,500', '1.125', '1500'], false],
  [[], true],
])('whether all of %j tell the same sign: %s', (cells, isAgreed) => {
  const finder = createSignFinder()
  for (const cell of cells) finder.add(cell)
  expect(finder.isAgreed()).toBe(isAgreed)
})
