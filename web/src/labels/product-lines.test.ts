import { describe, expect, it } from 'vitest'
import { allProducts, faultMessage, readSource } from './product-lines.ts'

const readProducts = (given: { typed: string; csv: string }) =>
  allProducts({ typed: readSource(given.typed, 'manual'), file: readSource(given.csv, 'csv') })

const typed = (text: string) => readProducts({ typed: text, csv: '' })
const csv = (text: string) => readProducts({ typed: '', csv: text })

describe('typed lines', () => {
  it('are ID, description and quantity, or ID and quantity, also in parentheses', () => {
    expect(typed('SKU-1,Hex bolt,250\nSKU-2,12\n(SKU-3,Washer,5)\n(SKU-4,7)').products).toEqual([
      { barcode: 'SKU-1', description: 'Hex bolt', quantity: 250 },
      { barcode: 'SKU-2', description: '', quantity: 12 },
      { barcode: 'SKU-3', description: 'Washer', quantity: 5 },
      { barcode: 'SKU-4', description: '', quantity: 7 },
    ])
  })

  it('keep leading zeros and parentheses inside a description', () => {
    expect(typed('0012345,Rod (steel),3').products).toEqual([
      { barcode: '0012345', description: 'Rod (steel)', quantity: 3 },
    ])
  })

  it('may leave the quantity of a two-field line empty, and of no other', () => {
    expect(typed('SKU-1,').products).toEqual([{ barcode: 'SKU-1', description: '', quantity: 0 }])
    expect(typed('SKU-1,Bolt,').faults).toEqual([
      { source: 'manual', line: 1, reason: 'the quantity is not a whole number from 0 up' },
    ])
  })

  it('are refused with the specified sentence and their own line number', () => {
    const { faults } = typed('SKU-1,5\n\nSKU-2,abc')
    expect(faults).toEqual([
      { source: 'manual', line: 3, reason: 'the quantity is not a whole number from 0 up' },
    ])
    expect(faults.map(faultMessage)).toEqual([
      'Error: Invalid format at line 3. Expected "ID,Description,Quantity", "ID,Quantity", "(ID,Description,Quantity)" or "(ID,Quantity)" with valid ID and numeric quantity.',
    ])
  })
})

describe('a CSV file', () => {
  it('may have a byte-order mark, a header, quotes, accents, CRLF and line breaks in quotes', () => {
    const file =
      '\uFEFFSKU,Description,Quantity\r\n"A-1","Łożysko, kulkowe 6204",40\r\n"A-2","Two\nlines",1\r\nA-3,"6"" pipe",2\r\n'
    expect(csv(file)).toEqual({
      products: [
        { barcode: 'A-1', description: 'Łożysko, kulkowe 6204', quantity: 40 },
        { barcode: 'A-2', description: 'Two\nlines', quantity: 1 },
        { barcode: 'A-3', description: '6" pipe', quantity: 2 },
      ],
      faults: [],
    })
  })

  it('may be separated by semicolons or tabs', () => {
    expect(csv('A-1;Schraube, lang;3').products).toEqual([
      { barcode: 'A-1', description: 'Schraube, lang', quantity: 3 },
    ])
    expect(csv('A-1\tBolt\t3').products).toEqual([{ barcode: 'A-1', description: 'Bolt', quantity: 3 }])
  })

  it('is not taken apart at a comma of its quantities or descriptions', () => {
    const reason = 'the quantity is not a whole number from 0 up'
    expect(csv('SKU-1;5,00\nSKU-2;12,50')).toEqual({
      products: [],
      faults: [
        { source: 'csv', line: 1, reason },
        { source: 'csv', line: 2, reason },
      ],
    })
    expect(csv('SKU-1;Schraube, lang;5,00').faults).toEqual([{ source: 'csv', line: 1, reason }])
    expect(csv('R-1,Resistor; 100,25').products).toEqual([
      { barcode: 'R-1', description: 'Resistor; 100', quantity: 25 },
    ])
    expect(csv('A-1,Bolt,5;\nA-2,Nut,3;').products).toEqual([])
    expect(csv('SKU-1;Schraube, M8, verzinkt;3').products).toEqual([
      { barcode: 'SKU-1', description: 'Schraube, M8, verzinkt', quantity: 3 },
    ])
    expect(csv('SKU-1,Seal; 10 mm; 2 mm; NBR,5').products).toEqual([
      { barcode: 'SKU-1', description: 'Seal; 10 mm; 2 mm; NBR', quantity: 5 },
    ])
  })

  it('may end its lines in several ways, and keeps its line numbers', () => {
    expect(csv('A-1,Bolt,1\r\nA-2,Nut,2\nA-3,"Two\r\nlines",3\r\nA-4,Rod,4\rA-5,Pin,many')).toEqual({
      products: [
        { barcode: 'A-1', description: 'Bolt', quantity: 1 },
        { barcode: 'A-2', description: 'Nut', quantity: 2 },
        { barcode: 'A-3', description: 'Two\nlines', quantity: 3 },
        { barcode: 'A-4', description: 'Rod', quantity: 4 },
      ],
      faults: [{ source: 'csv', line: 6, reason: 'the quantity is not a whole number from 0 up' }],
    })
  })

  it('may have rows of separators only, which spreadsheets write for cleared rows', () => {
    expect(csv('A-1,Bolt,1\r\n,,\r\n , ,\r\nA-2,Nut,many')).toEqual({
      products: [{ barcode: 'A-1', description: 'Bolt', quantity: 1 }],
      faults: [{ source: 'csv', line: 4, reason: 'the quantity is not a whole number from 0 up' }],
    })
  })

  it('is refused at a code that a spreadsheet has shortened, and says so', () => {
    expect(csv('5.57E+92,Bolt,3').faults).toEqual([
      {
        source: 'csv',
        line: 1,
        reason:
          'the ID is in scientific notation: a spreadsheet has shortened it. Format the column as text and export again',
      },
    ])
  })

  it('may have codes in formulas, as programs write them for spreadsheets', () => {
    expect(csv('="00012",Bolt,5')).toEqual({
      products: [{ barcode: '00012', description: 'Bolt', quantity: 5 }],
      faults: [],
    })
  })

  it('is refused at an error or a date that a spreadsheet has made of a code', () => {
    expect(csv('#N/A,Nut,3\n2026-03-01T00:00,Nut,3').faults.map(({ reason }) => reason)).toEqual([
      'the ID is #N/A, an error of the spreadsheet: mend the formula or enter the ID itself',
      'the ID is a date: a spreadsheet has made one of it. Format the column as text and enter the code again',
    ])
  })

  it('is refused with the specified sentence', () => {
    const { faults } = csv('A-1,Bolt,3\nA-2,Bolt,-1')
    expect(faults.map(faultMessage)).toEqual([
      'Error: Invalid CSV format at line 2. Expected "ID,Description,Quantity" or "ID,Quantity" with valid ID and numeric quantity.',
    ])
  })

  it('is refused at a quote that never closes', () => {
    expect(csv('A-1,Bolt,3\nA-2,"Bolt,4\n').faults).toEqual([
      { source: 'csv', line: 2, reason: 'its quotes do not match' },
    ])
  })

  it('may have quotes inside of a field, which stand for themselves', () => {
    expect(csv('A-1,Rohr 1/2",5\nA-2,Textmarker "gelb" dick,3')).toEqual({
      products: [
        { barcode: 'A-1', description: 'Rohr 1/2"', quantity: 5 },
        { barcode: 'A-2', description: 'Textmarker "gelb" dick', quantity: 3 },
      ],
      faults: [],
    })
    expect(csv('A-1,Bolt,3\nA-2,"Bolt,4\nA-3,Nut,1\n').faults).toEqual([
      { source: 'csv', line: 2, reason: 'its quotes do not match' },
    ])
  })

  it('with 2,000 rows is read whole', () => {
    const rows = Array.from({ length: 2000 }, (_, index) => `SKU-${index},"Part, number ${index}",${index}`)
    expect(csv(rows.join('\n')).products).toHaveLength(2000)
  })
})

it('a first line that only looks like a header is not dropped', () => {
  expect(typed('SKU-1,Bolt,many').faults).toHaveLength(1)
  expect(typed('Item,Description,Qty\nSKU-1,Bolt,3').products).toHaveLength(1)
})

it('a code that stands twice is one product, the first', () => {
  expect(typed('DEF,5\nDEF,6').products).toEqual([{ barcode: 'DEF', description: '', quantity: 5 }])
})

it('a code that stands twice is refused and both places are named', () => {
  expect(readProducts({ typed: 'A-1,1\nA-2,2', csv: 'A-2,Bolt,3' }).faults).toEqual([
    { source: 'csv', line: 1, reason: 'the ID stands already at line 2 of the typed lines' },
  ])
})
