import { describe, expect, it } from 'vitest'
import { readImportRow, type ImportField } from './rules.ts'

const fields: ImportField[] = ['barcode', 'description', 'primary_quantity', 'distribution_quantity']
const closed = new Set<ImportField>(['distribution_quantity', 'distribution_bin'])
const read = (...cells: string[]) => readImportRow(cells, { fields, closed, ownNames: {} })

describe('a row of an imported file', () => {
  it('keeps leading zeros, and leaves out what is empty', () => {
    expect(read(' 00012 ', 'Bolt', '5', '')).toEqual({
      barcode: '00012',
      description: 'Bolt',
      quantities: { primary_quantity: 5 },
      placements: [],
      unitCost: null,
      others: [],
      fault: null,
    })
    expect(read('A').quantities).toEqual({})
  })

  it('takes a code of digits around an E, which no spreadsheet has written', () => {
    expect(read('12E5', 'Bolt', '1')).toMatchObject({ barcode: '12E5', fault: null })
  })

  it('takes codes and texts that begin with a number sign', () => {
    expect(read('#10-32', '#8 screw', '1')).toMatchObject({ barcode: '#10-32', fault: null })
    expect(read('#NAME', '#REF 12', '1')).toMatchObject({ description: '#REF 12', fault: null })
  })

  it('leaves out 0 at a location that the plan does not include', () => {
    expect(read('A', 'Bolt', '5', '0')).toMatchObject({ quantities: { primary_quantity: 5 }, fault: null })
  })

  it.each([
    [['', 'Bolt', '1'], 'the barcode is empty'],
    [['5.57E+12'], 'the barcode is in scientific notation'],
    [['5,57E12'], 'the barcode is in scientific notation'],
    [['5E+12'], 'the barcode is in scientific notation'],
    [['2026-12-03T00:00'], 'the barcode is a date'],
    [
      ['#N/A'],
      'the barcode is #N/A, an error of the spreadsheet: mend the formula or enter the barcode itself',
    ],
    [['#BEZUG!'], 'the barcode is #BEZUG!, an error of the spreadsheet'],
    [['Err:502'], 'the barcode is Err:502, an error of the spreadsheet'],
    [
      ['A', '#REF!', '1'],
      'the description is #REF!, an error of the spreadsheet: mend the formula or enter the description itself',
    ],
    [['A', '#¿NOMBRE?', '1'], 'the description is #¿NOMBRE?, an error of the spreadsheet'],
    [['A', 'Bolt', '#N/A'], 'the quantity of Primary Warehouse is not a whole number from 0 up: #N/A'],
    [['a'.repeat(49)], 'the barcode is longer than 48 characters'],
    [['A\tB'], 'the barcode contains a control character'],
    [['A', 'x'.repeat(501)], 'the description is longer than 500 characters'],
    [['A', '', '-1'], 'the quantity of Primary Warehouse is not a whole number from 0 up: -1'],
    [['A', '', '1.5'], 'the quantity of Primary Warehouse is not a whole number from 0 up: 1.5'],
    [
      ['A', '', '2147483648'],
      'the quantity of Primary Warehouse is not a whole number from 0 up: 2147483648',
    ],
    [['A', 'Bolt', '1', '', ' M8'], 'the row has more cells than the heading'],
    [['A', '', '1', '3'], 'your plan does not include Distribution Center'],
  ])('%j is refused: %s', (cells, fault) => {
    expect(read(...cells).fault).toContain(fault)
  })

  const placing: ImportField[] = ['barcode', 'primary_bin', 'primary_minimum', 'distribution_bin']
  const place = (...cells: string[]) =>
    readImportRow(['A', ...cells], { fields: placing, closed, ownNames: {} })

  it('says of locations in which bin and below which stock, where it says something', () => {
    expect(place(' A-03 ', '5').placements).toEqual([{ location: 'PRIMARY', bin: 'A-03', minimum: 5 }])
    expect(place('', '0').placements).toEqual([{ location: 'PRIMARY', minimum: 0 }])
    expect(place(' ', ' ', '')).toMatchObject({ placements: [], fault: null })
    expect(place('x'.repeat(40))).toMatchObject({ fault: null })
  })

  it.each([
    [['x'.repeat(41)], 'the bin at Primary Warehouse is longer than 40 characters'],
    [['A\t1'], 'the bin at Primary Warehouse contains a control character'],
    [
      ['2026-03-02T00:00'],
      'the bin at Primary Warehouse is a date: a spreadsheet has made one of it. Format the column as text and enter the bin again',
    ],
    [['#REF!'], 'the bin at Primary Warehouse is #REF!, an error of the spreadsheet'],
    [['', '-1'], 'the minimum at Primary Warehouse is not a whole number from 0 up: -1'],
    [['', '1.5'], 'the minimum at Primary Warehouse is not a whole number from 0 up: 1.5'],
    [['', '', 'D-1'], 'your plan does not include Distribution Center'],
  ])('with %j of bins and minimums is refused: %s', (cells, fault) => {
    expect(place(...cells).fault).toContain(fault)
  })

  const cost = (cell: string) =>
    readImportRow(['A', cell], { fields: ['barcode', 'unit_cost'], closed: new Set(), ownNames: {} })

  it('says what one piece costs, where it says something', () => {
    expect(cost(' 12,50 € ')).toMatchObject({ unitCost: 12.5, fault: null })
    expect(cost('3,33333333333333')).toMatchObject({ unitCost: 3.3333, fault: null })
    expect(cost('12.500000')).toMatchObject({ unitCost: 12.5, fault: null })
    expect(cost('0')).toMatchObject({ unitCost: 0, fault: null })
    expect(cost('1.234')).toMatchObject({ unitCost: 1.234, fault: null })
    expect(cost(' ')).toMatchObject({ unitCost: null, fault: null })
  })

  it.each([
    ['on request', 'the unit cost is not an amount: on request'],
    ['-0.5', 'the unit cost is negative: -0.5'],
    ['0.00004', 'the unit cost is less than 0.0001: 0.00004'],
    ['10.000.000,00', 'the unit cost is over 9,999,999.9999: 10.000.000,00'],
    ['#DIV/0!', 'the unit cost is #DIV/0!, an error of the spreadsheet: mend the formula'],
    [
      '2026-05-12T00:00',
      'the unit cost is a date: a spreadsheet has made one of it. Format the column as text and enter the amount again',
    ],
    [
      '1.2E+3',
      'the unit cost is in scientific notation: a spreadsheet has shortened it. Format the column as a number and export again',
    ],
  ])('with a unit cost of %j is refused: %s', (cell, fault) => {
    expect(cost(cell)).toMatchObject({ unitCost: null })
    expect(cost(cell).fault).toContain(fault)
  })

  it('may say 0 for a location that the plan does not include', () => {
    expect(read('A', '', '1', '0').fault).toBeNull()
  })
})
