import { createTurns, type Turns } from '../platform/turns.ts'

/** Files of one company that are handed out by this node at a time. */
const mostOpen = 10
/** Of those, how many a piece is made of at a moment: a reader who takes nothing keeps no turn. */
const mostMaking = 2

/** One file's place among those of its company. */
type FilePlace = {
  /** The same pieces, each made when its turn has come. */
  inTurn: (pieces: AsyncIterable<Buffer>) => AsyncGenerator<Buffer, void, undefined>
  leave: () => void
}

export type FileTurns = {
  /** Takes a place for a file; null where the company has no more. */
  enter: (tenantId: string) => FilePlace | null
}

async function* takingTurns(
  pieces: AsyncIterable<Buffer>,
  turns: Turns,
): AsyncGenerator<Buffer, void, undefined> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const piece = await turns(() => iterator.next())
      if (piece.done === true) return
      yield piece.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** The label files that this node is handing out, so that no company's keep the others waiting. */
export function createFileTurns(): FileTurns {
  const companies = new Map<string, { open: number; turns: Turns }>()

  return {
    enter(tenantId) {
      const company = companies.get(tenantId) ?? {
        open: 0,
        turns: createTurns({ maxRunning: mostMaking, maxWaiting: mostOpen }),
      }
      if (company.open >= mostOpen) return null
      company.open += 1
      companies.set(tenantId, company)
      return {
        inTurn: (pieces) => takingTurns(pieces, company.turns),
        leave() {
          company.open -= 1
          if (company.open === 0) companies.delete(tenantId)
        },
      }
    },
  }
}
