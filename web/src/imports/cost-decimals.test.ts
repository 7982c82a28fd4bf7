import { expect, it } from 'vitest'
import { findDecimalSign, unitCostCell } from './cost-decimals.ts'
import { openImportFile } from './import-file.ts'

const signOf = async (text: string) => {
  const file = await openImportFile(new File([text], 'costs.csv'), { encoding: 'utf-8' })
  return await findDecimalSign(file, { column: 1, signal: new AbortController().signal })
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
