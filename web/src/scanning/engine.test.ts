import { beforeEach, describe, expect, it } from 'vitest'
import { createScanEngine, type ScanEngine } from './engine.ts'
import { readScanForm, savedForm, type Left, type ScanProblem } from './scan-form.ts'
import type { ScannerSettings } from './settings.ts'
import { createSightings } from './sightings.ts'
import type { Place, ScanField } from './typing.ts'

const known = ['4006381333931', 'A-1', 'ABC123', 'ABC-1', 'AB11', 'A1']
/** What the screen takes nothing of. */
const shelf = 'R-10'
/** The code of a case of A-1. */
const pack = 'CASE-1'
const skuOf = (code: string) => code.toLowerCase().replace('case-1', 'a-1')
let engine: ScanEngine
let happened: unknown[]
let problem: ScanProblem | null
let left: Left | null
let clock: number
let turn: ScanField
let mayTake: boolean
let scanner: ScannerSettings
let countsPieces: boolean
let gone: string[]
/** How many scans that counted one each were in the quantity of each entry. */
let counted: number[]
/** Codes that came before another was entered, and that other. */
let waited: string[]

beforeEach(() => {
  happened = []
  problem = null
  left = null
  clock = 0
  turn = 'barcode'
  engine = createScanEngine(null)
  mayTake = true
  countsPieces = false
  gone = []
  counted = []
  waited = []
  scanner = { prefix: ']C1', suffix: '' }
  engine.connect({
    settings: () => scanner,
    isKnownCode: (code) => known.includes(code),
    countsPieces: () => countsPieces,
    isSame: (one, other) => skuOf(one) === skuOf(other),
    piecesPerScan: (code) => (code === pack ? 12 : 1),
    stands: (id) => !gone.includes(id),
    mayScan: (code) => code !== shelf,
    mayTake: (code) => mayTake && code !== shelf,
    onEntry: ({ barcode, quantity, scans }) => {
      happened.push([barcode, quantity])
      counted.push(scans)
    },
    onProblem: (said) => {
      happened.push(said)
      problem = said
    },
    onUndo: () => happened.push('undo'),
    onNext: () => (problem = null),
    onLeft: (gone) => (left = gone),
    onLocation: (location) => happened.push(`go to ${location}`),
    onCode: () => undefined,
    onWaiting: (code, behind) =>
      waited.push(`${code} behind ${behind.code}${behind.isTyped ? ', typed' : ''}`),
    onPiece: (_, pieces) => happened.push(`piece ${pieces}`),
    onDoubled: (code) => happened.push(`doubled ${code}`),
    onAsk: () => undefined,
    onTurn: (field) => (turn = field),
  })
})

/** What a key leaves in its field. */
function appear(key: string, field: ScanField): void {
  // A number of pieces is selected.
  const { isTally, [field]: before } = engine.getForm()
  const typed = (isTally && field === 'quantity' ? '' : before) + key
  // A number field holds nothing while letters stand in it.
  engine.type(field, field === 'quantity' && /[^\d.]/.test(typed) ? '' : typed)
}

/** Types text into a field, or elsewhere, as the browser does: the key first, then what stands in the field. */
function type(text: string, { field = turn, pause = 5 }: { field?: Place; pause?: number } = {}) {
  for (const key of text) {
    clock += pause
    engine.press({ key, at: clock }, field)
    if (field === 'barcode' || field === 'quantity') appear(key, field)
  }
}

function press(key: string, field: Place = turn, pause = 5): boolean {
  clock += pause
  return engine.press({ key, at: clock }, field)
}

function scan(code: string, field: Place = turn): boolean {
  clock += 40
  type(code, { field })
  return press('Enter', field)
}

function typeSlowly(text: string, field: ScanField = turn): void {
  clock += 400
  type(text, { field, pause: 400 })
}

describe('scanning', () => {
  it('gives whole entries in their order', () => {
    for (const line of ['A-1', '3', 'B-2', '0']) scan(line)
    expect(happened).toEqual([
      ['A-1', 3],
      ['B-2', 0],
    ])
  })

  it('takes a code wherever the focus is, and uses its end key up', () => {
    expect(scan('A-1', null)).toBe(true)
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', taken: true })
    clock += 400
    expect(press('Enter', null)).toBe(false)
  })

  it('takes a code of two characters wherever the focus is, where it is known', () => {
    expect(scan('A1', null)).toBe(true)
    expect(engine.getForm()).toMatchObject({ barcode: 'A1', taken: true })
    engine.next()
    expect(scan('B1', null)).toBe(false)
    expect(engine.getForm()).toMatchObject({ barcode: '', taken: false })
  })

  it('takes whole codes of scanners that switch NumLock within them, or type each character by its number', () => {
    scan('A-1')
    for (const key of ['A', 'B', 'C', 'NumLock', '1', '2', '3', 'NumLock']) {
      press(key)
      if (key.length === 1) appear(key, turn)
    }
    press('Enter')
    for (const key of 'ABC-1') {
      press('Alt')
      engine.receive(key, clock, turn)
      appear(key, turn)
    }
    press('Enter')
    expect(happened).toEqual([])
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '', waiting: ['ABC123', 'ABC-1'] })
  })

  it('takes a code that ends with Tab, and leaves Tab alone otherwise', () => {
    type('A-1')
    expect(press('Tab')).toBe(true)
    clock += 400
    expect(press('Tab')).toBe(false)
  })

  it('loses nothing of 20 codes scanned over each other', () => {
    const codes = Array.from({ length: 20 }, (_, index) => `CODE-${index}`)
    for (const code of codes) scan(code)
    const { barcode, waiting } = engine.getForm()
    expect([barcode, ...waiting]).toEqual(codes)
  })

  it('keeps the code whose quantity is missing when the focus stays in the barcode field', () => {
    scan('A-1', 'barcode')
    scan('B-2', 'barcode')
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', taken: true, waiting: ['B-2'] })
  })

  it('strips the prefix of the scanner and takes a doubled code once', () => {
    scan(']C1ABC123ABC123')
    expect(engine.getForm().barcode).toBe('ABC123')
  })

  it('says that a code was doubled until the next code comes, and goes on', () => {
    for (const line of ['ABC123ABC123', '3']) scan(line)
    expect(happened).toEqual(['doubled ABC123', ['ABC123', 3]])
    expect(engine.getForm().doubled).toBe('ABC123')
    scan('A-1')
    expect(engine.getForm().doubled).toBeNull()
    expect(happened).toHaveLength(2)
  })

  it('tells a scan from a quantity that is half typed', () => {
    scan('A-1')
    typeSlowly('7')
    clock += 400
    scan('SECOND-2')
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '7', waiting: ['SECOND-2'] })
    clock += 400
    scan('4006381333931')
    expect(engine.getForm()).toMatchObject({ quantity: '7', waiting: ['SECOND-2', '4006381333931'] })
  })

  it('asks when the quantity may be a code', () => {
    scan('A-1')
    scan('4006381333931')
    expect(engine.getForm().asking).toBe('4006381333931')
    engine.answer('code')
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '', waiting: ['4006381333931'] })
    expect(happened).toEqual([])
  })

  it('asks when a code that nobody knows is scanned for a quantity', () => {
    for (const line of ['A-1', '104233']) scan(line)
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', asking: '104233' })
    engine.answer('code')
    for (const line of ['3', '7']) scan(line)
    expect(happened).toEqual([
      ['A-1', 3],
      ['104233', 7],
    ])
  })

  it('asks when such a code follows a quantity that is half typed', () => {
    scan('A-1')
    typeSlowly('7')
    clock += 400
    scan('10423')
    expect(engine.getForm().asking).toBe('710423')
  })

  it('asks of no short number that was scanned, and of nothing that somebody typed, or pressed Submit for, unless it is a code', () => {
    scan('A-1')
    typeSlowly('12000')
    press('Enter')
    scan('B-2')
    engine.type('quantity', '13000')
    engine.submit()
    for (const line of ['C-3', '1400']) scan(line)
    expect(happened).toEqual([
      ['A-1', 12_000],
      ['B-2', 13_000],
      ['C-3', 1_400],
    ])
  })

  it('takes a code once that is scanned again before its quantity, and says so', () => {
    for (const line of ['A-1', 'A-1', '3', 'B-2', '5']) scan(line)
    expect(happened).toEqual(['doubled A-1', ['A-1', 3], ['B-2', 5]])
  })

  it('takes a waiting code once that is scanned again, and says once behind which it waits', () => {
    for (const line of ['A-1', 'B-2', 'B-2']) scan(line)
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', waiting: ['B-2'], again: 'B-2' })
    expect(waited).toEqual(['B-2 behind A-1'])
  })

  it('says of a doubled code one thing only: that it waits, or that it was taken once', () => {
    scan('A-1')
    scan('ABC123ABC123')
    expect(happened).toEqual([])
    expect(waited).toEqual(['ABC123 behind A-1'])
    expect(engine.getForm()).toMatchObject({ waiting: ['ABC123'], doubled: 'ABC123' })
    scan('ABC123ABC123')
    expect(happened).toEqual(['doubled ABC123'])
    expect(waited).toHaveLength(1)
  })

  it('tells a code that waits for a quantity from one that waits for Submit', () => {
    scan('A-1')
    scan('B-2')
    typeSlowly('12')
    clock += 400
    scan('C-3-CODE')
    engine.submit()
    for (const line of ['4006381333931', 'D-4']) scan(line)
    expect(waited).toEqual(['B-2 behind A-1', 'C-3-CODE behind A-1, typed', 'D-4 behind B-2, typed'])
  })

  it('takes a code of digits once that is scanned again before its quantity', () => {
    for (const line of ['4006381333931', '4006381333931', '12']) scan(line)
    expect(happened).toEqual(['doubled 4006381333931', ['4006381333931', 12]])
  })

  it('keeps asking whether a number is a code, whatever is scanned or typed meanwhile', () => {
    for (const line of ['A-1', '4006381333931', 'B-2', '4006381333948']) scan(line)
    typeSlowly('24')
    press('Enter')
    expect(engine.getForm()).toMatchObject({
      barcode: 'A-1',
      quantity: '24',
      asking: '4006381333931',
      waiting: ['B-2', '4006381333948'],
    })
    expect(happened).toEqual([])
    engine.answer('neither')
    press('Enter', turn, 400)
    expect(happened).toEqual([['A-1', 24]])
  })

  it('enters the number in question when it is a quantity', () => {
    scan('A-1')
    scan('1000000')
    engine.answer('quantity')
    expect(happened).toEqual([['A-1', 1_000_000]])
  })

  it('goes on with what an earlier page left', () => {
    scan('A-1')
    scan('B-2')
    const later = createScanEngine(engine.getForm())
    expect(later.getForm()).toMatchObject({ barcode: 'A-1', waiting: ['B-2'] })
  })
})

describe('what the scanner adds', () => {
  const sets: { settings: ScannerSettings; sku: string; scanned: string }[] = [
    { settings: { prefix: 'A', suffix: '' }, sku: 'ABC-1', scanned: 'AABC-1' },
    { settings: { prefix: '', suffix: '1' }, sku: 'AB11', scanned: 'AB111' },
  ]
  describe.each(sets)('to $sku is taken off once', ({ settings, sku, scanned }) => {
    beforeEach(() => (scanner = settings))

    it('from a scan', () => {
      for (const line of [scanned, '5']) scan(line)
      expect(happened).toEqual([[sku, 5]])
    })

    it('from a code that waited for its quantity', () => {
      for (const line of ['A-1', scanned]) scan(line)
      expect(engine.getForm().waiting).toEqual([sku])
      engine.next()
      scan('5')
      expect(happened).toEqual([[sku, 5]])
    })

    it('and from nothing that was typed', () => {
      typeSlowly(sku)
      press('Enter')
      scan('5')
      typeSlowly(sku, 'barcode')
      engine.enterQuantity()
      typeSlowly('6', 'quantity')
      press('Enter', 'quantity')
      expect(happened).toEqual([
        [sku, 5],
        [sku, 6],
      ])
    })

    it('and from no code of a camera, whoever knows it', () => {
      engine.take(sku)
      scan('5')
      engine.take(`${scanned}?1`)
      scan('6')
      expect(happened).toEqual([
        [sku, 5],
        [`${scanned}?1`, 6],
      ])
    })
  })

  it('is not taken off again where Enter is pressed in the barcode field', () => {
    scanner = { prefix: 'A', suffix: '' }
    scan('AABC-9')
    clock += 400
    press('Enter', 'barcode')
    expect(engine.getForm()).toMatchObject({ barcode: 'ABC-9', taken: true })
    expect(turn).toBe('quantity')
  })

  it('is taken off a code that is scanned in the barcode field and left without its end key', () => {
    scanner = { prefix: 'A', suffix: '' }
    type('AABC-1', { field: 'barcode' })
    engine.enterQuantity()
    expect(engine.getForm().barcode).toBe('ABC-1')
    typeSlowly('5', 'quantity')
    press('Enter', 'quantity')
    expect(happened).toEqual([['ABC-1', 5]])
  })
})

describe('a scanner that ends each code with two keys', () => {
  it.each(['Enter', 'Tab'])('as with Enter and %s is taken at its word once', (second) => {
    for (const line of ['A-1', '3', 'B-2', '7']) {
      scan(line)
      // The focus has gone to the quantity.
      engine.enterQuantity()
      expect(press(second)).toBe(true)
    }
    expect(happened).toEqual([
      ['A-1', 3],
      ['B-2', 7],
    ])
  })

  it('is heard to the end wherever the focus is', () => {
    scan('A-1', null)
    expect(engine.takesEnd(clock + 5)).toBe(true)
    expect(press('Enter', null)).toBe(true)
    expect(happened).toEqual([])
  })

  it('is told from a person who presses Enter after a pause', () => {
    scan('A-1')
    press('Enter', turn, 400)
    expect(happened).toEqual(['quantity_missing'])
    expect(engine.takesEnd(clock + 200)).toBe(false)
  })
})

describe('a scanner that hesitates', () => {
  const halves = [
    { before: 'its end key', first: '4006381333931', second: '' },
    { before: 'its last character', first: '400638133393', second: '1' },
    { before: 'its second character', first: '4', second: '006381333931' },
  ]
  it.each(halves)('before $before is heard where nobody types', ({ first, second }) => {
    type(first, { field: null })
    clock += 300
    type(second, { field: null })
    expect(press('Enter', null, second === '' ? 300 : 5)).toBe(true)
    expect(engine.getForm()).toMatchObject({ barcode: '4006381333931', taken: true })
  })

  it.each(['Enter', 'Tab'])('before %s is heard there also with a code that nobody knows', (end) => {
    type('XYZ-9', { field: null })
    expect(press(end, null, 300)).toBe(true)
    expect(engine.getForm()).toMatchObject({ barcode: 'XYZ-9', taken: true })
  })

  it('is told there from a person who presses a button later', () => {
    type('XYZ-9', { field: null })
    expect(press('Enter', null, 1_500)).toBe(false)
    type('A-1', { field: null, pause: 1_500 })
    expect(press('Enter', null, 1_500)).toBe(false)
    expect(engine.getForm()).toMatchObject({ barcode: '', waiting: [] })
  })

  it('is told from a person who looks for a SKU in the list', () => {
    type('ABC123', { field: 'search' })
    expect(press('Enter', 'search', 300)).toBe(false)
    expect(press('Tab', 'search', 300)).toBe(false)
    expect(engine.getForm()).toMatchObject({ barcode: '', waiting: [] })
  })

  it('before the characters of a line end is heard, and its second one does nothing', () => {
    for (const text of ['A-1', '3']) {
      type(text)
      expect(engine.pressEnd((clock += 300), turn)).toBe(true)
      expect(engine.pressEnd((clock += 300), turn)).toBe(true)
    }
    expect(happened).toEqual([['A-1', 3]])
    expect(engine.pressEnd(clock + 1_500, turn)).toBe(false)
  })

  it.each(['4', '4006', '4006381', '400638133393'])(
    'behind %s leaves no part of a code in a quantity',
    (first) => {
      scan('A-1')
      clock += 400
      type(first)
      clock += 300
      type('4006381333931'.slice(first.length))
      expect(press('Enter')).toBe(true)
      expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '', asking: '4006381333931' })
      engine.answer('code')
      expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '', waiting: ['4006381333931'] })
    },
  )

  it.each([
    { code: '4006381333931', first: '4006' },
    { code: '4006381333931', first: '400638133393' },
    { code: '5006381333938', first: '' },
    { code: 'ABC123', first: 'AB' },
    { code: 'ABC123', first: 'ABC12' },
    { code: ']C1ABC123', first: ']C1AB' },
  ])('behind $first of $code leaves the quantity that was typed before', ({ code, first }) => {
    scan('A-1')
    typeSlowly('7')
    clock += 400
    type(first)
    clock += 300
    type(code.slice(first.length))
    press('Enter')
    expect(engine.getForm()).toMatchObject({
      barcode: 'A-1',
      quantity: '7',
      waiting: [code.replace(']C1', '')],
    })
    press('Enter', 'quantity', 400)
    expect(happened).toEqual([['A-1', 7]])
  })

  it('within a short number has it asked about, whatever was typed before', () => {
    known.push('12345')
    scan('A-1')
    typeSlowly('7')
    clock += 400
    type('123')
    clock += 300
    type('45')
    press('Enter')
    known.pop()
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', asking: '712345' })
    expect(happened).toEqual([])
  })

  it('is heard where nobody types also behind a key that was pressed there before', () => {
    type(' ', { field: null })
    clock += 5_000
    type('4006', { field: null })
    clock += 300
    type('381333931', { field: null })
    press('Enter', null)
    expect(engine.getForm()).toMatchObject({ barcode: '4006381333931', taken: true })
  })

  it('leaves spaces to a button that is pressed twice, and takes one within a code', () => {
    expect(engine.press({ key: ' ', at: clock }, null)).toBe(false)
    expect(engine.press({ key: ' ', at: clock + 500 }, null)).toBe(false)
    clock += 5_000
    type('AB', { field: null })
    expect(engine.press({ key: ' ', at: clock + 500 }, null)).toBe(true)
  })

  it('leaves the code before it where that stands in the field it types into', () => {
    scan('A-1', 'barcode')
    clock += 400
    type('ABC123', { field: 'barcode' })
    press('Enter', 'barcode', 300)
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', taken: true, waiting: ['ABC123'] })
  })
})

describe('typing', () => {
  it('finishes the barcode with Enter and the entry with Enter', () => {
    typeSlowly('B-2')
    press('Enter')
    typeSlowly('12')
    press('Enter')
    expect(happened).toEqual([['B-2', 12]])
  })

  it.each(['1.5', '1,5', '1 000', '1.000', '1’000', "1'000", '1\u202F000'])(
    'of the quantity %s takes none and empties the field, whether it ends with Enter or a press',
    (typed) => {
      scan('A-1')
      typeSlowly(typed)
      press('Enter')
      typeSlowly(typed)
      engine.submit()
      expect(happened).toEqual(['quantity_separated', 'quantity_separated'])
      expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '', waiting: [] })
      typeSlowly('15')
      press('Enter')
      expect(happened.at(-1)).toEqual(['A-1', 15])
    },
  )
})

describe('what was typed without an end key', () => {
  it('does not run into the next scan where it was submitted by a press', () => {
    for (const line of ['A-1', 'B-2']) scan(line)
    typeSlowly('5')
    engine.submit()
    clock += 400
    scan('C-3')
    expect(engine.getForm()).toMatchObject({ barcode: 'B-2', waiting: ['C-3'] })
    typeSlowly('7')
    press('Enter')
    expect(happened).toEqual([
      ['A-1', 5],
      ['B-2', 7],
    ])
    expect(engine.getForm().barcode).toBe('C-3')
  })

  it('does not run into the next scan after Next Item or the camera', () => {
    for (const line of ['A-1', 'B-2']) scan(line)
    typeSlowly('5')
    engine.next()
    engine.take('C-3')
    clock += 400
    scan('D-4')
    expect(engine.getForm()).toMatchObject({ barcode: 'B-2', waiting: ['C-3', 'D-4'] })
  })

  it('is not taken for the beginning of the quantity', () => {
    typeSlowly('BOLT-1', 'barcode')
    engine.enterQuantity()
    typeSlowly('5', 'quantity')
    press('Enter', 'quantity')
    expect(happened).toEqual([['BOLT-1', 5]])
  })

  it('into the search of the list is not either', () => {
    scan('A-1')
    clock += 400
    for (const key of 'bolt') press(key, 'search', 400)
    typeSlowly('5', 'quantity')
    press('Enter', 'quantity')
    expect(happened).toEqual([['A-1', 5]])
  })

  it('belongs to a scan whose keys go on in another field', () => {
    type('ABC', { field: 'barcode' })
    type('123', { field: null })
    press('Enter', null)
    expect(engine.getForm()).toMatchObject({ barcode: 'ABC123', taken: true })
  })
})

describe('a command code', () => {
  it('of a location leaves nobody behind with a number that is not entered', () => {
    scan('A-1')
    engine.type('quantity', '12')
    scan('IM:LOC:SECONDARY')
    expect(happened.at(-1)).toBe('quantity_waits')
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '12' })
    engine.submit()
    expect(happened.at(-1)).toEqual(['A-1', 12])
    scan('IM:LOC:SECONDARY')
    expect(happened.at(-1)).toBe('go to SECONDARY')
  })

  it('goes on to the next item', () => {
    for (const code of ['A-1', 'B-2', 'IM:NEXT']) scan(code)
    expect(engine.getForm()).toMatchObject({ barcode: 'B-2', waiting: [] })
  })

  it('leaves with the item what was wrong with it, as the button does', () => {
    for (const goOn of [() => scan('IM:NEXT'), () => engine.next()]) {
      scan('A-1')
      engine.submit()
      expect(problem).toBe('quantity_missing')
      goOn()
      expect(problem).toBeNull()
    }
  })

  it('takes the quantity times ten and submits', () => {
    scan('A-1')
    typeSlowly('12')
    clock += 400
    scan('IM:X10')
    expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '120' })
    scan('IM:SUBMIT', null)
    expect(happened).toEqual([['A-1', 120]])
  })

  it('without a quantity has nothing to multiply', () => {
    scan('A-1')
    scan('IM:X10')
    expect(happened).toEqual(['quantity_missing'])
  })

  it('takes the last entry back, or goes to a location', () => {
    scan('IM:UNDO')
    scan('IM:LOC:SECONDARY', null)
    expect(happened).toEqual(['undo', 'go to SECONDARY'])
    expect(engine.getForm()).toMatchObject({ barcode: '', waiting: [] })
  })

  it('goes on with the field whose turn it is after an entry was taken back', () => {
    for (const code of ['A-1', '3', 'B-2']) scan(code)
    // Where the focus went as the button was pressed.
    turn = 'barcode'
    engine.undo()
    expect(happened).toEqual([['A-1', 3], 'undo'])
    expect(turn).toBe('quantity')
    expect(engine.getForm()).toMatchObject({ barcode: 'B-2', taken: true })
  })
})

describe('a typed quantity that Next Item leaves', () => {
  const form = () => engine.getForm()

  it('can be put back with its code until the next entry, however one went on', () => {
    for (const goOn of [() => engine.next(), () => scan('IM:NEXT')]) {
      scan('A-1')
      typeSlowly('12')
      clock += 400
      goOn()
      expect(left).toMatchObject({ barcode: 'A-1', quantity: '12' })
      expect(form()).toMatchObject({ barcode: '', quantity: '' })
      engine.putBack()
      expect(form()).toMatchObject({ barcode: 'A-1', quantity: '12', taken: true, left: null })
      expect(turn).toBe('quantity')
      engine.next()
      for (const line of ['AB11', '3']) scan(line)
      expect(happened.at(-1)).toEqual(['AB11', 3])
      expect(form().left).toBeNull()
    }
  })

  it('is over where it was meant to be left', () => {
    scan('A-1')
    typeSlowly('12')
    clock += 400
    engine.next()
    engine.discardLeft()
    expect(form().left).toBeNull()
    scan('IM:LOC:SECONDARY')
    expect(happened).toEqual(['go to SECONDARY'])
  })

  it('is in question again where it was', () => {
    scan('A-1')
    typeSlowly('1000000')
    engine.submit()
    engine.next()
    expect(left).toMatchObject({ barcode: 'A-1', asking: '1000000' })
    engine.putBack()
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '', asking: '1000000' })
    engine.answer('quantity')
    expect(happened).toEqual([['A-1', 1_000_000]])
  })

  it('comes before a code that was scanned since, and in place of another quantity, which can be put back in turn', () => {
    scan('A-1')
    typeSlowly('12')
    clock += 400
    engine.next()
    scan('AB11')
    engine.putBack()
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '12', waiting: ['AB11'] })
    engine.next()
    typeSlowly('5')
    engine.putBack()
    expect(form()).toMatchObject({ barcode: 'A-1', left: { barcode: 'AB11', quantity: '5' }, waiting: [] })
  })

  it('is one line where its code was scanned again to come back, and half a code is none', () => {
    for (const again of ['AB11', 'ab11']) {
      scan('AB11')
      typeSlowly('12')
      clock += 400
      engine.next()
      scan(again)
      engine.putBack()
      expect(form()).toMatchObject({ barcode: 'AB11', quantity: '12', waiting: [] })
      engine.submit()
      for (const line of ['A-1', '3']) scan(line)
      expect(happened.slice(-2)).toEqual([
        ['AB11', 12],
        ['A-1', 3],
      ])
    }
    scan('AB11')
    typeSlowly('12')
    engine.next()
    typeSlowly('400638', 'barcode')
    engine.putBack()
    expect(form()).toMatchObject({ barcode: 'AB11', quantity: '12', waiting: [] })
  })

  it('comes back by Undo last before an entry is taken back, where nothing was scanned since', () => {
    for (const undo of [() => engine.undo(), () => scan('IM:UNDO')]) {
      for (const line of ['AB11', '3', 'A-1']) scan(line)
      typeSlowly('12')
      clock += 400
      engine.next()
      undo()
      expect(happened.at(-1)).toEqual(['AB11', 3])
      expect(form()).toMatchObject({ barcode: 'A-1', quantity: '12', left: null })
      engine.next()
      scan('B-2')
      undo()
      expect(happened.at(-1)).toBe('undo')
      expect(form()).toMatchObject({ barcode: 'B-2', left: { barcode: 'A-1' } })
      engine.next()
    }
  })

  it('comes back once the pieces that were scanned since are entered', () => {
    scan('A-1')
    typeSlowly('12')
    clock += 400
    engine.next()
    countsPieces = true
    for (const code of ['AB11', 'AB11']) scan(code)
    engine.putBack()
    expect(happened.at(-1)).toEqual(['AB11', 2])
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '12', tally: null })
  })

  it('survives a reload, and nobody goes to another location without it', () => {
    scan('A-1')
    typeSlowly('12')
    clock += 400
    engine.next()
    scan('IM:LOC:SECONDARY')
    expect(happened).toEqual(['left_waits'])
    const read = readScanForm(structuredClone(savedForm(form())))
    expect(read?.left).toEqual({ barcode: 'A-1', quantity: '12', asking: null, addsTo: null })
    engine.putBack()
    engine.submit()
    scan('IM:LOC:SECONDARY')
    expect(happened).toEqual(['left_waits', ['A-1', 12], 'go to SECONDARY'])
  })

  it('is none where only a code was passed over', () => {
    scan('A-1')
    engine.next()
    expect(left).toBeNull()
    expect(form().left).toBeNull()
  })
})

it('an entry that may not be taken stays in the form', () => {
  scan('A-1')
  type('3')
  mayTake = false
  engine.submit()
  expect(happened).toEqual([])
  expect(engine.getForm()).toMatchObject({ barcode: 'A-1', quantity: '3' })
  mayTake = true
  engine.submit()
  expect(happened).toEqual([['A-1', 3]])
})

it('leaves the form as it is at the scan of what is no item, and enters nothing of it where it was typed', () => {
  scan('A-1')
  scan(shelf)
  expect(engine.getForm()).toMatchObject({ barcode: 'A-1', taken: true, quantity: '', waiting: [] })
  scan('3')
  scan(shelf)
  expect(engine.getForm()).toMatchObject({ barcode: '', taken: false })
  engine.type('barcode', shelf)
  engine.enterQuantity()
  engine.type('quantity', '5')
  engine.submit()
  expect(engine.getForm()).toMatchObject({ barcode: shelf, quantity: '5' })
  expect(happened).toEqual([['A-1', 3]])
})

it('takes no entry of a code that is longer than any, and says so', () => {
  scan('L'.repeat(49))
  scan('3')
  expect(happened).toEqual(['barcode_too_long'])
  expect(engine.getForm()).toMatchObject({ barcode: 'L'.repeat(49), quantity: '3' })
  engine.next()
  expect(left).toBeNull()
  happened = []
  for (const line of ['L'.repeat(48), '3']) scan(line)
  expect(happened).toEqual([['L'.repeat(48), 3]])
})

describe('pieces counted by their scans', () => {
  const ean = '4006381333931'
  const form = () => engine.getForm()
  beforeEach(() => (countsPieces = true))

  it('are entered when another SKU is scanned, or Submit is pressed', () => {
    for (const code of [ean, ean, ean, 'A-1', 'A-1']) scan(code)
    expect(happened).toEqual(['piece 1', 'piece 2', 'piece 3', [ean, 3], 'piece 1', 'piece 2'])
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '2', waiting: [] })
    engine.submit()
    expect(happened.at(-1)).toEqual(['A-1', 2])
    expect(form()).toMatchObject({ barcode: '', taken: false, quantity: '', tally: null })
  })

  it('are none lost or doubled by a scanner as fast as they get', () => {
    for (let piece = 0; piece < 400; piece += 1) scan(ean)
    scan('A-1')
    expect(happened.slice(-3)).toEqual(['piece 400', [ean, 400], 'piece 1'])
  })

  it('are of one SKU by whichever of its codes they are scanned', () => {
    for (const code of ['abc-1', 'ABC-1', 'A-1']) scan(code)
    expect(happened).toContainEqual(['abc-1', 2])
  })

  it('are not one of a label that says what is on a pallet, whose number somebody types', () => {
    const pallet = `020${ean}3748`
    for (const code of [ean, pallet]) scan(code)
    expect(happened).toEqual(['piece 1', 'of_contents'])
    expect(form()).toMatchObject({ barcode: ean, quantity: '1', waiting: [] })
    countsPieces = false
    engine.submit()
    scan(pallet)
    type('48', { pause: 400 })
    engine.submit()
    expect(happened.at(-1)).toEqual([ean, 48])
  })

  it('go on from a quantity that was typed, which is entered by nothing but Submit', () => {
    scan(ean)
    type('24', { pause: 400 })
    clock += 400
    scan('A-1')
    expect(form()).toMatchObject({ barcode: ean, waiting: ['A-1'] })
    scan(ean)
    expect(happened.at(-1)).toBe('piece 25')
    scan('AB11')
    expect(happened.slice(-3)).toEqual([[ean, 25], ['A-1', 1], 'piece 1'])
  })

  it('are told from what somebody typed, and from packs', () => {
    for (const code of ['GHOST', 'GHOST', 'A-1']) scan(code)
    type('24', { pause: 400 })
    clock += 400
    scan('A-1')
    scan(pack)
    scan('AB11')
    scan('IM:X10')
    engine.submit()
    scan('ABC-1')
    type('7', { pause: 400 })
    press('Enter', 'quantity', 400)
    expect(happened.filter(Array.isArray)).toEqual([
      ['GHOST', 2],
      ['A-1', 37],
      ['AB11', 10],
      ['ABC-1', 7],
    ])
    expect(counted).toEqual([2, 1, 10, 0])
  })

  it('are told from what was typed also after the page was left, and of those of the version before nothing', () => {
    scan('GHOST')
    type('24', { pause: 400 })
    clock += 400
    scan('GHOST')
    const saved = savedForm(form())
    expect(readScanForm(saved)?.tally).toMatchObject({ pieces: 25, typed: 24 })
    const { typed: _, ...before } = saved.tally ?? { typed: 0 }
    expect(readScanForm({ ...saved, tally: before })?.tally).toMatchObject({ pieces: 25, typed: 25 })
  })

  it('are asked about by nobody, however many, also where their number is a code', () => {
    known.push('3')
    for (const code of ['A-1', 'A-1', 'A-1', 'AB11']) scan(code)
    known.pop()
    expect(happened).toContainEqual(['A-1', 3])
  })

  it('wait where those before them cannot be entered, each of them', () => {
    scan('A-1')
    mayTake = false
    for (const code of ['AB11', 'AB11', 'ABC-1']) scan(code)
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '1', waiting: ['AB11', 'AB11', 'ABC-1'] })
    mayTake = true
    for (const code of ['ABC-1', 'ABC-1']) scan(code)
    expect(happened.filter(Array.isArray)).toEqual([
      ['A-1', 1],
      ['AB11', 2],
    ])
    expect(form()).toMatchObject({ barcode: 'ABC-1', quantity: '3', waiting: [] })
  })

  it('stay while a number over them is in question, as those that come meanwhile', () => {
    for (const code of ['A-1', 'A-1', 'A-1']) scan(code)
    scan('1234')
    expect(form()).toMatchObject({ asking: '1234', quantity: '' })
    for (const code of ['AB11', 'AB11']) scan(code)
    engine.answer('neither')
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '3', waiting: ['AB11', 'AB11'] })
    engine.submit()
    expect(happened.at(-1)).toEqual(['A-1', 3])
    expect(form()).toMatchObject({ barcode: 'AB11', quantity: '2' })
  })

  it('are not replaced by the half of a code that a scanner reads with a pause', () => {
    scan(ean)
    type('4006', { pause: 5 })
    clock += 150
    type('381333931', { pause: 5 })
    press('Enter')
    expect(form()).toMatchObject({ barcode: ean, quantity: '2' })
    scan('A-1')
    type('AB')
    clock += 150
    type('11')
    press('Enter')
    expect(happened.filter(Array.isArray)).toEqual([
      [ean, 2],
      ['A-1', 1],
    ])
    expect(form()).toMatchObject({ barcode: 'AB11', quantity: '1' })
  })

  it('are entered by no code that nobody knows', () => {
    for (const code of ['A-1', '381333931', 'A-1']) scan(code)
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '2', waiting: ['381333931'] })
    expect(happened.filter(Array.isArray)).toEqual([])
  })

  it('are of the code they were scanned by, whatever is typed over it', () => {
    for (const code of ['A-1', 'A-1', 'A-1']) scan(code)
    engine.type('barcode', 'AB11')
    press('Enter', 'barcode', 400)
    expect(happened.at(-2)).toEqual(['A-1', 3])
    expect(form()).toMatchObject({ barcode: 'AB11', quantity: '1' })
    engine.type('barcode', 'ABC-1')
    engine.enterQuantity()
    expect(happened.at(-1)).toEqual(['AB11', 1])
    expect(form()).toMatchObject({ barcode: 'ABC-1', quantity: '', tally: null })
  })

  it('are added to no number that was typed with a comma, and are there again', () => {
    for (const code of ['A-1', 'A-1', 'A-1']) scan(code)
    engine.insert('1,5')
    engine.type('quantity', '15')
    scan('A-1')
    expect(happened.at(-1)).toBe('quantity_separated')
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '3' })
    engine.submit()
    expect(happened.at(-1)).toEqual(['A-1', 3])
  })

  it('are none lost of a camera beside a scanner, whatever the scanner is typing', () => {
    const { see } = createSightings(engine.takesEnd)
    const look = () => {
      for (const code of see(['A-1'], clock)) engine.take(code)
    }
    look()
    type('A-')
    look()
    type('1')
    press('Enter')
    clock += 200
    look()
    expect(happened).toEqual(['piece 1', 'piece 2'])
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '2' })
  })

  it('stay with the number that was typed over them, whoever goes on, until Submit', () => {
    for (const goOn of [() => engine.next(), () => scan('IM:NEXT'), () => scan('IM:LOC:SECONDARY')]) {
      for (const code of ['A-1', 'A-1', 'A-1']) scan(code)
      engine.type('quantity', '24')
      goOn()
      expect(happened.at(-1)).toBe('pieces_typed_over')
      expect(form()).toMatchObject({ barcode: 'A-1', quantity: '24', tally: { code: 'A-1', pieces: 3 } })
      engine.submit()
      expect(happened.at(-1)).toEqual(['A-1', 24])
      expect(form()).toMatchObject({ barcode: '', quantity: '', tally: null })
    }
  })

  it('are there again by Undo last where a number was typed over them, or is in question', () => {
    for (const typeOver of [() => engine.type('quantity', '24'), () => scan('1234')]) {
      scan('A-1')
      scan('A-1')
      typeOver()
      engine.undo()
      expect(form()).toMatchObject({ barcode: 'A-1', quantity: '2', isTally: true, asking: null })
      engine.next()
      expect(happened.slice(-2)).toEqual(['piece 2', ['A-1', 2]])
    }
  })

  it('stay while a number over them is in question, whoever goes on', () => {
    for (const code of ['A-1', 'A-1', '1234']) scan(code)
    engine.next()
    expect(form()).toMatchObject({ barcode: 'A-1', asking: '1234', tally: { code: 'A-1', pieces: 2 } })
  })

  it('go on where their number was erased', () => {
    for (const code of ['A-1', 'A-1', 'A-1']) scan(code)
    engine.type('quantity', '')
    engine.next()
    expect(happened.at(-1)).toBe('pieces_typed_over')
    scan('A-1')
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '4', isTally: true })
  })

  it('are taken off one by one before an entry is taken back', () => {
    for (const code of ['A-1', 'A-1', 'IM:UNDO']) scan(code)
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '1' })
    engine.undo()
    expect(form()).toMatchObject({ barcode: '', quantity: '', taken: false })
    engine.undo()
    expect(happened).toEqual(['piece 1', 'piece 2', 'piece 1', 'piece 0', 'undo'])
  })

  it('are those of a pack where its code is scanned, among single ones', () => {
    known.push(pack)
    for (const code of ['A-1', pack, pack, 'A-1', 'AB11']) scan(code)
    known.pop()
    expect(happened).toEqual(['piece 1', 'piece 13', 'piece 25', 'piece 26', ['A-1', 26], 'piece 1'])
  })

  it('are taken off as they were scanned: a pack at once, also in a page that is loaded again', () => {
    for (const code of [pack, 'A-1', pack]) scan(code)
    const loaded = createScanEngine(readScanForm(savedForm(form())))
    for (const quantity of ['13', '12', '']) {
      loaded.undo()
      engine.undo()
      expect([form().quantity, loaded.getForm().quantity]).toEqual([quantity, quantity])
    }
    expect(happened.slice(-3)).toEqual(['piece 13', 'piece 12', 'piece 0'])
  })

  it('of a pack go on from a quantity that was typed or multiplied, of which single ones are taken off', () => {
    for (const code of [pack, 'IM:X10', pack]) scan(code)
    expect(form()).toMatchObject({ quantity: '132' })
    for (const quantity of ['120', '119']) {
      engine.undo()
      expect(form()).toMatchObject({ quantity })
    }
  })

  it('are those of a pack where it waited, or was scanned before each scan counted', () => {
    scan('AB11')
    mayTake = false
    for (const code of [pack, 'A-1', pack]) scan(code)
    mayTake = true
    engine.submit()
    expect(form()).toMatchObject({ barcode: pack, quantity: '25', waiting: [] })
    engine.undo()
    expect(form()).toMatchObject({ quantity: '13' })
    engine.submit()
    countsPieces = false
    scan(pack)
    countsPieces = true
    scan(pack)
    expect(form()).toMatchObject({ barcode: pack, quantity: '24' })
  })

  it('are entered before the next item, and before another location', () => {
    for (const code of ['A-1', 'A-1', 'IM:NEXT', 'AB11', 'IM:LOC:SECONDARY']) scan(code)
    expect(happened.slice(-4)).toEqual([['A-1', 2], 'piece 1', ['AB11', 1], 'go to SECONDARY'])
  })

  it('keep whoever cannot enter them where they are', () => {
    scan('A-1')
    mayTake = false
    scan('IM:LOC:SECONDARY')
    expect(happened).toEqual(['piece 1'])
    expect(form()).toMatchObject({ barcode: 'A-1', quantity: '1' })
  })

  it('are ten times as many by IM:X10', () => {
    for (const code of ['A-1', 'A-1', 'IM:X10', 'AB11']) scan(code)
    expect(happened).toContainEqual(['A-1', 20])
  })

  it('survive a reload, unlike a number that is half typed over them', () => {
    for (const code of ['A-1', 'A-1']) scan(code)
    const reloaded = () => createScanEngine(readScanForm(structuredClone(savedForm(form())))).getForm()
    expect(reloaded()).toMatchObject({ barcode: 'A-1', quantity: '2', isTally: true })
    engine.type('quantity', '2')
    engine.type('barcode', 'A')
    expect(reloaded()).toMatchObject({ barcode: 'A-1', taken: true, quantity: '2', isTally: true })
  })
})

describe('what was counted of a SKU before', () => {
  const first = { id: 'first', quantity: 5 }

  it('is added to what is counted of it now, once', () => {
    scan('A-1')
    engine.addTo(first)
    scan('7')
    scan('A-1')
    scan('7')
    expect(happened).toEqual([
      ['A-1', 12],
      ['A-1', 7],
    ])
  })

  it('is not added where it was taken back since', () => {
    scan('A-1')
    engine.addTo(first)
    gone.push('first')
    scan('7')
    expect(happened).toEqual([['A-1', 7]])
  })

  it('is not added to another SKU', () => {
    scan('A-1')
    engine.addTo(first)
    engine.next()
    scan('AB11')
    scan('1')
    scan('A-1')
    engine.addTo(first)
    engine.type('barcode', 'AB11')
    engine.enterQuantity()
    scan('2')
    scan('A-1')
    engine.addTo(first)
    engine.type('barcode', 'AB12')
    engine.type('quantity', '3')
    engine.submit()
    expect(happened).toEqual([
      ['AB11', 1],
      ['AB11', 2],
      ['AB12', 3],
    ])
  })
})
