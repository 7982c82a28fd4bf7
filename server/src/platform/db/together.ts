import { sqlState } from './errors.ts'

type Waiting<Question, Answer> = {
  question: Question
  /** Set after several were asked in vain: by itself it finds out whose error that was. */
  alone: boolean
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

/**
 * Asks what waits at the same moment in one go: `ask` gives an answer for each question, in their order. Where the
 * database refuses, each is asked alone, so that an error touches nobody but its own question. For reading: a question may be asked twice.
 */
export function together<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { lanes, most }: { lanes: number; most: number },
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []
  let running = 0

  function putBack(turn: readonly Waiting<Question, Answer>[], error: unknown): void {
    const [first] = turn
    if (turn.length === 1) first?.reject(error)
    // Nobody's own error: the database is away, and asking each alone would only make all wait.
    else if (sqlState(error) === null) for (const { reject } of turn) reject(error)
    else waiting.unshift(...turn.map((one) => ({ ...one, alone: true })))
  }

  async function run(turn: readonly Waiting<Question, Answer>[]): Promise<void> {
    const answers = await ask(turn.map(({ question }) => question))
    if (answers.length !== turn.length) {
      throw new Error(`${answers.length} answers to ${turn.length} questions.`)
    }
    for (const [index, answer] of answers.entries()) turn[index]?.resolve(answer)
  }

  function startTurns(): void {
    while (running < lanes && waiting.length > 0) {
      const size = waiting[0]?.alone === true ? 1 : most
      const turn = waiting.slice(0, size)
      waiting = waiting.slice(size)
      running += 1
      run(turn)
        .catch((error: unknown) => putBack(turn, error))
        .finally(() => {
          running -= 1
          startTurns()
        })
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, alone: false, resolve, reject })
      // What was read from the network together is asked together.
      setImmediate(startTurns)
    })
}
