import { expect, it } from 'vitest'
import { createScanEngine } from './engine.ts'
import type { Place, ScanField } from './typing.ts'

const known = [
  '4006381333931',
  '5901234123457',
  '96385074',
  'A-1',
  'ABC123',
  'AB11',
  '12345',
  'BOX 12',
  '00012',
]

/** Numbers from 0 to 1 in an order of their own for each seed, the same in each run. */
function createChance(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const below = (most: number) => Math.floor(next() * most)
  return { below, isIn: (times: number) => below(times) === 0 }
}

type Entry = [string, number]

/** A page with the two fields, somebody who types, and a scanner that may hesitate. */
function createDesk(seed: number) {
  const chance = createChance(seed)
  const entries: Entry[] = []
  const done = { undos: 0, pressed: 0 }
  let told = false
  let turn: ScanField = 'barcode'
  let clock = 0
  let shown = ''
  const tell = () => {
    told = true
  }
  const engine = createScanEngine(null)
  engine.connect({
    settings: () => ({ prefix: '', suffix: '' }),
    isKnownCode: (code) => known.includes(code),
    countsPieces: () => false,
    isSame: (one, other) => one === other,
    piecesPerScan: () => 1,
    stands: () => true,
    mayScan: () => true,
    mayTake: () => true,
    onEntry: ({ barcode, quantity }) => entries.push([barcode, quantity]),
    onProblem: tell,
    onUndo: () => {
      done.undos += 1
    },
    onNext: () => undefined,
    onLeft: () => undefined,
    onLocation: () => undefined,
    onCode: (code) => known.includes(code) || tell(),
    onWaiting: (code) => known.includes(code) || tell(),
    onPiece: () => undefined,
    onDoubled: () => undefined,
    onAsk: tell,
    onTurn: (field) => (turn = field),
  })

  /** What a number field shows: also what is no number, of which it has no value. */
  function appear(key: string, field: ScanField): void {
    if (field === 'barcode') {
      engine.type(field, engine.getForm().barcode + key)
      return
    }
    shown += key
    engine.type(field, /[^\d.]/.test(shown) ? '' : shown)
  }

  function press(key: string, place: Place, pause: number): void {
    clock += pause
    const isUsedUp = engine.press({ key, at: clock }, place)
    // What a button that has the focus is pressed with.
    if (place === null && !isUsedUp && (key === ' ' || key === 'Enter')) done.pressed += 1
    if (key === 'Enter') shown = engine.getForm().quantity
    else if (!isUsedUp && (place === 'barcode' || place === 'quantity')) appear(key, place)
  }

  return {
    chance,
    entries,
    done,
    isTold: () => told,
    scan(code: string) {
      const place = chance.isIn(4) ? null : turn
      const hesitatesAt = chance.isIn(2) ? 1 + chance.below(code.length) : -1
      const pauseAt = (index: number) => (index === hesitatesAt ? 130 + chance.below(700) : 8)
      shown = engine.getForm().quantity
      clock += 700
      for (const [index, key] of Array.from(code).entries()) press(key, place, pauseAt(index))
      press('Enter', place, pauseAt(code.length))
    },
    typeQuantity(quantity: number) {
      clock += 300
      for (const key of String(quantity)) press(key, turn, 180)
    },
    pressEnter: () => press('Enter', turn, 250),
  }
}

type Desk = ReturnType<typeof createDesk>

/** By the key, or by a command code. */
function enter(desk: Desk): void {
  if (desk.chance.isIn(3)) desk.scan('IM:SUBMIT')
  else desk.pressEnter()
}

/** Two SKUs are counted: one after the other, both codes first, or the second scanned before the first is entered. */
function countTwo(desk: Desk): Entry[] {
  const { chance } = desk
  const at = chance.below(known.length)
  const first: Entry = [known[at] ?? '', 1 + chance.below(60)]
  const second: Entry = [
    known[(at + 1 + chance.below(known.length - 1)) % known.length] ?? '',
    1 + chance.below(60),
  ]
  const way = chance.below(3)
  desk.scan(first[0])
  if (way === 1) desk.scan(second[0])
  desk.typeQuantity(first[1])
  if (way === 2) desk.scan(second[0])
  enter(desk)
  if (way === 0) desk.scan(second[0])
  desk.typeQuantity(second[1])
  enter(desk)
  return [first, second]
}

it('a scanner that hesitates anywhere gives no SKU the quantity of another, and loses none, without a word', () => {
  let silent = 0
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const desk = createDesk(seed)
    const counted: Entry[] = []
    while (counted.length < 6 && !desk.isTold()) counted.push(...countTwo(desk))
    // Of what somebody was told in between, less may be entered, but nothing else.
    const whole = desk.isTold() ? desk.entries.length : counted.length
    expect(desk.entries, `seed ${seed}`).toEqual(counted.slice(0, whole))
    expect(desk.done, `seed ${seed}`).toEqual({ undos: 0, pressed: 0 })
    if (!desk.isTold()) silent += 1
  }
  expect(silent).toBeGreaterThan(300)
})

it('a command code is obeyed, wherever the scanner hesitates in it', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const desk = createDesk(seed)
    desk.scan('IM:UNDO')
    expect(desk.done, `seed ${seed}`).toEqual({ undos: 1, pressed: 0 })
    expect(desk.isTold(), `seed ${seed}`).toBe(false)
  }
})
