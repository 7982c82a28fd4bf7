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
    work: async ({ text }) => {
      seen.push(`${text}: ${kept}`)
      if (text.startsWith('GHOST')) throw refused
      if (seen.length === 4) throw new ApiError('The server cannot be reached.', { kind: 'network' })
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
