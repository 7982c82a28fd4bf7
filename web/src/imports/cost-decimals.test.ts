import { expect, it } from 'vitest'
import { findDecimalSigns, piecesCell, unitCostCell } from './cost-decimals.ts'
import { openImportFile } from './import-file.ts'

const signOf = async (text: string) => {
  const file = await openImportFile(new File([text], 'costs.csv'), { encoding: 'utf-8' })
  const signs = await findDecimalSigns(file, { columns: [1, 2], signal: new AbortController().signal })
  return signs(1)
}

const many = (line: string) => Array.from({ length: 5_000 }, () => line).join('\n')

it('what stands before decimals is told by the whole column, also where its last cell alone tells it', async () => {
  expect(await signOf(`SKU;Cost\n${many('A;1.234')}\nB;12.5\n`)).toBe('.')
  expect(await signOf(`SKU,Cost\n${many('A,1.234')}\nB,"12,5"\n`)).toBe(',')
})

it.each([
  ['SKU;Cost\nA;1.234\nB;950\n', ','],
  ['SKU;Cost\nA;1,234\nB;950\n', ','],
  ['SKU,Cost\nA,1.234\nB,950\n', '.'],
  ['SKU,Cost\nA,"1,234"\nB,950\n', '.'],
  ['SKU\tCost\nA\t1.234\nB\t950\n', '.'],
  ['SKU;Cost\nA;1.234\nB;1500\n', '.'],
  // Of other columns nothing is taken.
  ['SKU,Cost,Weight\nA,1.234,"0,5"\n', '.'],
  ['A;1.234', ','],
])('in %j this stands before decimals: %s', async (text, sign) => {
  expect(await signOf(text)).toBe(sign)
})

it('what may be thousands as well as decimals is sent as it is meant, and all else as it stands', () => {
  const cells = ['1.234', '1,234', '$1.200', '12,50', '1.234,5', '-1.234', 'many', '']
  expect(cells.map((cell) => unitCostCell(cell, ','))).toEqual([
    '1234',
    '1.234',
    '1200',
    '12,50',
    '1.234,5',
    '-1.234',
    'many',
    '',
  ])
  expect(unitCostCell('1.234', '.')).toBe('1.234')
  expect(unitCostCell('1,234', '.')).toBe('1234')
})

it('pieces with thousands set apart, or with decimals that say nothing, are sent as digits, and all else as it stands', () => {
  const cells = [
    '1.250',
    '1.250,00',
    '12,00',
    '12,000',
    "1'250",
    ' 40 ',
    '1.5',
    '2.500,5',
    '-3',
    '5 €',
    'many',
    '0012',
    '',
  ]
  expect(cells.map((cell) => piecesCell(cell, ','))).toEqual([
    '1250',
    '1250',
    '12',
    '12',
    '1250',
    ' 40 ',
    '1.5',
    '2.500,5',
    '-3',
    '5 €',
    'many',
    '0012',
    '',
  ])
  expect(piecesCell('1,250', '.')).toBe('1250')
  expect(piecesCell('1.250', '.')).toBe('1.250')
  expect(piecesCell('12.000', '.')).toBe('12')
})

it('where a column of pieces does not tell what stands before decimals, that of unit costs does', async () => {
  const signsOf = async (text: string) => {
    const file = await openImportFile(new File([text], 'stock.csv'), { encoding: 'utf-8' })
    return await findDecimalSigns(file, { columns: [1, 2], signal: new AbortController().signal })
  }
  expect((await signsOf('SKU,Qty,Cost\nA,1.250,"0,89"\n'))(1, 2)).toBe(',')
  expect((await signsOf('SKU;Qty;Cost\nA;1.250;0.89\n'))(1, 2)).toBe('.')
  expect((await signsOf('SKU;Qty;Cost\nA;"1,250.00";0,89\n'))(1, 2)).toBe('.')
})
