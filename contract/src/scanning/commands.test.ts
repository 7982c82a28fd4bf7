import { describe, expect, it } from 'vitest'
import { commandPrefix, commands, parseCommand } from './commands.ts'

describe('a scanned code', () => {
  it.each(commands)('IM:%s is that command', (command) => {
    expect(parseCommand(`${commandPrefix}${command}`)).toEqual({ kind: 'command', command })
  })

  it('is one of four commands', () => {
    expect(commands).toEqual(['UNDO', 'NEXT', 'SUBMIT', 'X10'])
  })

  it('IM:LOC:PRIMARY goes to that location', () => {
    expect(parseCommand('IM:LOC:PRIMARY')).toEqual({ kind: 'location', location: 'PRIMARY' })
  })

  it.each(['', 'IM:', 'IM:LOC:', 'IM:undo', 'im:UNDO', 'IM:UNDO2', ' IM:UNDO', 'UNDO', '4006381333931'])(
    '%j is a code like any other',
    (code) => {
      expect(parseCommand(code)).toBeNull()
    },
  )
})
