import { expect, it } from 'vitest'
import { refusedCsv } from './refused-csv.ts'

it('rows that cannot be taken are written with their line and why, and nothing of them is run by a spreadsheet', () => {
  const rows = [
    { line: 4, barcode: '', description: 'Bolt, 3"', fault: 'the barcode is empty' },
    { line: 1200, barcode: '=1+1', description: 'a;-2', fault: null },
  ]
  expect(refusedCsv(rows)).toBe(
    `\uFEFFLine,Barcode,Description,Reason\r\n4,,"Bolt, 3""",the barcode is empty\r\n1200,'=1+1,"a;'-2",\r\n`,
  )
})
