import { expect, test } from 'vitest'
import { parseCommand } from './commands.ts'

test('a command barcode steers, a location barcode chooses, anything else is a component', () => {
  expect(parseCommand('IM:UNDO')).toEqual({ kind: 'command', command: 'UNDO' })
  expect(parseCommand('IM:X10')).toEqual({ kind: 'command', command: 'X10' })
  expect(parseCommand('IM:LOC:PRIMARY')).toEqual({ kind: 'location', location: 'PRIMARY' })
  for (const code of ['', 'IM:', 'IM:NOTHING', 'IM:LOC:', 'IM:LOC:QUARANTINE', 'im:undo', 'SKU-1']) {
    expect(parseCommand(code)).toBeNull()
  }
})
