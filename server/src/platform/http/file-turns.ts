import { createTurnsOfEach } from '../turns.ts'

/** Files of one company that are handed out by this node at a time. */
const mostOpen = 10
/** Of those, how many a piece is made of at a moment: a reader who takes nothing keeps no turn. */
const mostMaking = 2

/** One file's place among those of its company. */
export type FilePlace = {
  /** The same pieces, each made when its turn has come. */
  inTurn: <T>(pieces: AsyncIterable<T>) => AsyncGenerator<T, void, undefined>
  leave: () => void
}

export type FileTurns = {
  /** Takes a place for a file; null where the company has no more. */
  enter: (tenantId: string) => FilePlace | null
}

/** The files of a kind that this node is handing out, so that no company's keep the others waiting. */
export function createFileTurns(): FileTurns {
  const open = new Map<string, number>()
  const turns = createTurnsOfEach({ what: 'turns for files', maxRunning: mostMaking, maxWaiting: mostOpen })

  async function* inTurn<T>(tenantId: string, pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const iterator = pieces[Symbol.asyncIterator]()
    try {
      for (;;) {
        const piece = await turns(tenantId, () => iterator.next())
        if (piece.done === true) return
        yield piece.value
      }
    } finally {
      await iterator.return?.()
    }
  }

  return {
    enter(tenantId) {
      const others = open.get(tenantId) ?? 0
      if (others >= mostOpen) return null
      open.set(tenantId, others + 1)
      return {
        inTurn: (pieces) => inTurn(tenantId, pieces),
        leave() {
          const left = (open.get(tenantId) ?? 0) - 1
          if (left > 0) open.set(tenantId, left)
          else open.delete(tenantId)
        },
      }
    },
  }
}
