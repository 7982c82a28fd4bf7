import { describe, expect, it } from 'vitest'
import { createBlockReader } from './event-blocks.ts'

describe('a stream of events', () => {
  it('is taken apart wherever it was cut into pieces', () => {
    const text =
      ': still here\nid: 5:5:\n\nid: 6:6:\nevent: count\ndata: {"sku":"A: 1"}\n\nevent: reload\ndata: {}\n\n'
    const blocks = [
      { type: '', data: '', id: '5:5:' },
      { type: 'count', data: '{"sku":"A: 1"}', id: '6:6:' },
      { type: 'reload', data: '{}', id: null },
    ]
    for (let size = 1; size <= text.length; size += 1) {
      const read = createBlockReader()
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      )
      expect(pieces.flatMap(read)).toEqual(blocks)
    }
  })
})
