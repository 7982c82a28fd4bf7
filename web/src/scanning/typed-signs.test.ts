import { beforeEach, expect, it } from 'vitest'
import { createScanEngine, type ScanEngine } from './engine.ts'

let engine: ScanEngine
let happened: unknown[]
let clock: number

beforeEach(() => {
  happened = []
  clock = 0
  engine = createScanEngine(null)
  engine.connect({
    settings: () => ({ prefix: '', suffix: '' }),
    isKnownCode: () => false,
    countsPieces: () => false,
    isSame: () => false,
    piecesPerScan: () => 1,
    stands: () => true,
    mayScan: () => true,
    mayTake: () => true,
    onEntry: ({ quantity }) => happened.push(quantity),
    onProblem: (problem) => happened.push(problem),
    onUndo: () => undefined,
    onNext: () => undefined,
    onLeft: () => undefined,
    onLocation: () => undefined,
    onCode: () => undefined,
    onWaiting: () => undefined,
    onPiece: () => undefined,
    onDoubled: () => undefined,
    onAsk: () => undefined,
    onTurn: () => undefined,
  })
  engine.take('A-1')
})

/** Puts text into the quantity, of which the field keeps the digits. */
function put(text: string): void {
  engine.insert(text)
  const kept = text.replaceAll(/\D/g, '')
  if (kept !== '') engine.type('quantity', engine.getForm().quantity + kept)
}

function takeLast(): void {
  engine.insert(null)
  engine.type('quantity', engine.getForm().quantity.slice(0, -1))
}

/** Keys of a keyboard that names them, a person's pause apart. */
function press(keys: string[], pause = 400): void {
  for (const key of keys) {
    clock += pause
    engine.press({ key, at: clock }, 'quantity')
    if (key === 'Backspace') takeLast()
    else if (key.length === 1) put(key)
  }
}

it('a sign between the digits of a quantity is remembered after a correction', () => {
  press(['1', ',', '5', 'Backspace', '5'])
  engine.submit()
  expect(happened).toEqual(['quantity_separated'])
  expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '' })

  press(['1', ',', '5', 'Backspace', '5', 'Enter'])
  expect(happened).toEqual(['quantity_separated', 'quantity_separated'])
  press(['1', '5', 'Enter'])
  expect(happened.at(-1)).toBe(15)
})

it('a sign is seen where a keyboard does not name its keys, and where the text is pasted', () => {
  for (const text of ['1', ',', '5']) put(text)
  engine.submit()
  expect(happened).toEqual(['quantity_separated'])
  put('1,5')
  engine.press({ key: 'Enter', at: 5_000 }, 'quantity')
  expect(happened).toEqual(['quantity_separated', 'quantity_separated'])
})

it('a quantity that was emptied or typed over begins anew', () => {
  for (const text of ['1', ',', '5']) put(text)
  takeLast()
  takeLast()
  put('7')
  engine.submit()
  expect(happened).toEqual([7])

  engine.take('A-1')
  for (const text of ['1', ',', '5']) put(text)
  engine.insert('8')
  engine.type('quantity', '8')
  engine.submit()
  expect(happened).toEqual([7, 8])
})

it('the signs of a code that is scanned into the quantity are none of the quantity', () => {
  press(['7'])
  clock += 400
  press(['1', '-', 'B'], 5)
  clock += 5
  engine.press({ key: 'Enter', at: clock }, 'quantity')
  expect(engine.getForm()).toMatchObject({ quantity: '7', waiting: ['1-B'] })
  engine.submit()
  expect(happened).toEqual([7])
})

it.each(['IM:SUBMIT', 'IM:X10', 'IM:NEXT'])(
  'a quantity with a sign is refused to the command %s, too',
  (command) => {
    press(['1', ',', '5', 'Backspace', '5'])
    clock += 400
    press([...Array.from(command), 'Enter'], 5)
    expect(happened).toEqual(['quantity_separated'])
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '', left: null })
  },
)

it('a quantity with a sign is left by neither Next Item nor Put back, which would bring another number back', () => {
  for (const text of ['1', ',', '5']) put(text)
  engine.next()
  expect(happened).toEqual(['quantity_separated'])
  expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '', left: null })

  put('7')
  engine.next()
  engine.take('B-2')
  for (const text of ['1', ',', '5']) put(text)
  engine.putBack()
  expect(happened).toEqual(['quantity_separated', 'quantity_separated'])
  expect(engine.getForm()).toMatchObject({ barcode: 'B-2', quantity: '' })
  engine.putBack()
  expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '7', waiting: ['B-2'], left: null })
})

it('a sign is remembered when a code is scanned behind the corrected quantity', () => {
  press(['1', ',', '5', 'Backspace', '5'])
  clock += 400
  press(['B', '-', '2', '2', 'Enter'], 5)
  expect(engine.getForm()).toMatchObject({ quantity: '15', waiting: ['B-22'] })
  engine.submit()
  expect(happened).toEqual(['quantity_separated'])
})
