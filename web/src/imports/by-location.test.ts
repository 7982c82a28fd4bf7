import { importFields } from '@inventory-manager/contract/imports/rules'
import { getLocation } from '@inventory-manager/contract/locations'
import { describe, expect, it } from 'vitest'
import { createMerging } from './by-location.ts'
import { faultOf, type Meaning } from './column-meanings.ts'
import { guessFields } from './guess-fields.ts'
import { guessByLocation } from './guess-location.ts'

const ownNames = { SECONDARY: 'Hamburg' }
const offered = importFields.filter((field) => !field.startsWith('distribution_'))

/** The rows that lines below a heading come to, each as its line, its cells that say something by their fields, and its fault. */
function merged(columns: Meaning[], lines: string[][]) {
  const merging = createMerging({ columns, offered, ownNames })
  for (const [index, cells] of lines.entries()) merging.add({ line: index + 2, cells })
  return merging.end().map(({ line, cells, fault }) => {
    const said = merging.fields.map((field, index) => [field, cells[index] ?? ''])
    return { line, ...Object.fromEntries(said.filter(([, cell]) => cell !== '')), ...(fault && { fault }) }
  })
}

describe('a file with a line for each location', () => {
  const columns: Meaning[] = ['barcode', 'location', 'quantity_there']

  it('becomes a row for each component, whether a location is named by its code, its name or that of the company', () => {
    const lines = [
      ['SKU-1', 'Primary Warehouse', '3'],
      ['SKU-2', 'secondary', '5'],
      ['SKU-3', 'HAMBURG', '0'],
      ['SKU-2', 'Primary', '7'],
      ['SKU-2', 'Quarantine', '1'],
      ['SKU-2', 'Fulfillment Center', ''],
    ]
    expect(merged(columns, lines)).toEqual([
      { line: 2, barcode: 'SKU-1', primary_quantity: '3' },
      {
        line: 3,
        barcode: 'SKU-2',
        primary_quantity: '7',
        secondary_quantity: '5',
        quarantine_quantity: '1',
      },
      { line: 4, barcode: 'SKU-3', secondary_quantity: '0' },
    ])
  })

  it('has the bins and minimums of each, and what is said of the component itself in one of its lines or all', () => {
    const all: Meaning[] = [
      ...columns,
      'bin_there',
      'minimum_there',
      'description',
      'unit_cost',
      'other_barcodes',
    ]
    const lines = [
      ['SKU-2', 'Primary', '7', 'A-1', '2', 'Nut', '', 'EAN-1'],
      ['SKU-2', 'Hamburg', '5', 'B-1', '', 'Nut', '2.5', 'EAN-2'],
    ]
    expect(merged(all, lines)).toEqual([
      {
        line: 2,
        barcode: 'SKU-2',
        description: 'Nut',
        unit_cost: '2.5',
        other_barcodes: 'EAN-1; EAN-2',
        primary_quantity: '7',
        primary_bin: 'A-1',
        primary_minimum: '2',
        secondary_quantity: '5',
        secondary_bin: 'B-1',
      },
    ])
  })

  it('has lines that cannot be taken, each named with its own', () => {
    const lines = [
      ['SKU-1', 'Berlin', '3'],
      ['SKU-1', 'Primary', '4'],
      ['SKU-2', '', '5'],
      ['SKU-3', 'DISTRIBUTION', '6'],
      ['SKU-3', 'DISTRIBUTION', '0'],
      ['', 'Primary', '7'],
      ['SKU-4', 'Primary', '8', 'more'],
    ]
    expect(merged(columns, lines)).toEqual([
      { line: 2, barcode: 'SKU-1', fault: 'the location is not one of yours: Berlin' },
      { line: 3, barcode: 'SKU-1', primary_quantity: '4' },
      { line: 4, barcode: 'SKU-2', fault: 'the location is empty' },
      { line: 5, barcode: 'SKU-3', fault: 'your plan does not include Distribution Center' },
      { line: 6, barcode: 'SKU-3' },
      { line: 7 },
      { line: 8, barcode: 'SKU-4' },
    ])
  })

  it('adds nothing up: two lines of one component and location are a fault of all of it', () => {
    const lines = [
      ['SKU-2', 'Hamburg', '5'],
      ['SKU-2', 'Primary', '7'],
      ['SKU-2', 'Secondary', '5'],
    ]
    expect(merged(columns, lines)).toMatchObject([
      { line: 2, fault: 'the quantity of Hamburg stands at line 2 and again at line 4' },
    ])
    const costs = [
      ['SKU-2', 'Hamburg', '2.50'],
      ['SKU-2', 'Primary', '3'],
    ]
    expect(merged(['barcode', 'location', 'unit_cost'], costs)).toMatchObject([
      { line: 2, fault: 'the unit cost stands at line 2 and again at line 3, otherwise' },
    ])
  })
})

describe('the columns of such a file', () => {
  const guess = (...rows: string[][]) => {
    const guessing = { here: getLocation('FULFILLMENT'), offered: importFields, ownNames }
    return guessByLocation(rows, guessFields(rows[0] ?? [], guessing), guessing)
  }

  it('are found by the locations in them, whatever their head', () => {
    expect(
      guess(
        ['Product', 'Warehouse', 'On Hand Quantity'],
        ['SKU-2', 'Secondary', '5'],
        ['SKU-2', 'Primary', '7'],
      ),
    ).toEqual(['barcode', 'location', 'quantity_there'])
    expect(guess(['SKU', 'Bin', 'Qty', 'Where', 'EAN'], ['A-1', 'B-7', '5', 'hamburg', '400'])).toEqual([
      'barcode',
      'bin_there',
      'quantity_there',
      'location',
      'other_barcodes',
    ])
  })

  it('are found by their head where barcodes repeat, so that locations nobody knows are told', () => {
    const head = ['SKU', 'Location Name', 'Quantity']
    expect(guess(head, ['A-1', 'WH/Stock', '5'], ['A-1', 'WH/Outlet', '5'])).toEqual([
      'barcode',
      'location',
      'quantity_there',
    ])
    expect(guess(head, ['A-1', 'WH/Stock', '5'], ['B-2', 'WH/Outlet', '5'])).toBe(null)
    expect(guess(['SKU', 'Colour', 'Quantity'], ['A-1', 'red', '5'], ['A-1', 'blue', '5'])).toBe(null)
  })

  it.each([
    [['barcode', 'quantity_there'], 'Say which column is the location.'],
    [['barcode', 'location'], 'Say which column is the quantity, the bin or the minimum there.'],
    [
      ['barcode', 'location', 'quantity_there', 'primary_bin'],
      'Bin at Primary Warehouse cannot be imported beside a location of each line.',
    ],
    [['barcode', 'location', 'location', 'bin_there'], 'Location is chosen for two columns.'],
    [['barcode', 'other_barcodes', 'location', 'bin_there', 'other_barcodes'], null],
  ] as [Meaning[], string | null][])('%j: %s', (fields, fault) => {
    expect(faultOf(fields)).toBe(fault)
  })
})
