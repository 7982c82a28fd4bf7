import { expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { readLines } from './several-lines.ts'
import { workThrough } from './several-work.ts'

const refused = new ApiError('There is no component with this barcode.', {
  kind: 'reply',
  status: 404,
  code: 'not_found',
})

it('what is not done of a list is known as soon as a line is, before the next one is sent', async () => {
  const seen: string[] = []
  let kept = 'nothing kept'
  const outcome = await workThrough(readLines('A-1;5\nGHOST;1\nA-2;3\nA-1;5', 'amount'), {
    atOnce: 1,
    work: async ([{ text } = { text: '' }]) => {
      seen.push(`${text}: ${kept}`)
      if (text.startsWith('GHOST')) throw refused
      if (seen.length === 4) throw new ApiError('The server cannot be reached.', { kind: 'network' })
      return new Map()
    },
    onTried: (tried, notDone) => (kept = `${tried}, ${notDone.join(' ')}`),
  })
  expect(seen).toEqual([
    'A-1;5: nothing kept',
    'GHOST;1: 1, GHOST;1 A-2;3 A-1;5',
    'A-2;3: 2, GHOST;1 A-2;3 A-1;5',
    'A-1;5: 3, GHOST;1 A-1;5',
  ])
  expect(outcome).toEqual({
    done: 2,
    refused: [{ at: 1, text: 'GHOST;1', reason: 'There is no component with this barcode.' }],
    left: ['A-1;5'],
    failure: 'The server cannot be reached.',
  })
})

it('lines that go together are done or named each for itself, and one that none are taken with is tried alone', async () => {
  const sent: string[] = []
  const kept: string[] = []
  const outcome = await workThrough(readLines('A-1;1\nGHOST;1\nA-2;1\nBAD;1\nA-3;1', 'minimum'), {
    atOnce: 2,
    work: async (lines) => {
      const texts = lines.map(({ text }) => text)
      sent.push(texts.join(' '))
      if (texts.includes('BAD;1')) {
        throw new ApiError('This cannot be read.', { kind: 'reply', status: 400, code: 'validation_failed' })
      }
      return new Map(lines.filter(({ text }) => text === 'GHOST;1').map((line) => [line, 'No such one.']))
    },
    onTried: (tried, notDone) => void kept.push(`${tried}, ${notDone.join(' ')}`),
  })
  expect(sent).toEqual(['A-1;1 GHOST;1', 'A-2;1 BAD;1', 'A-2;1', 'BAD;1', 'A-3;1'])
  expect(kept).toEqual([
    '2, GHOST;1 A-2;1 BAD;1 A-3;1',
    '3, GHOST;1 BAD;1 A-3;1',
    '4, GHOST;1 BAD;1 A-3;1',
    '5, GHOST;1 BAD;1',
  ])
  expect(outcome).toEqual({
    done: 3,
    refused: [
      { at: 1, text: 'GHOST;1', reason: 'No such one.' },
      { at: 3, text: 'BAD;1', reason: 'This cannot be read.' },
    ],
    left: [],
    failure: null,
  })
})
