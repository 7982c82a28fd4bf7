import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { News } from './mirror.ts'
import { createMemoryStore, type Job } from './store.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createSafeStore, type SafeStore } from './safe-store.ts'

type Value = { code: string }
type Reply = string

const opened: Outbox<Value, Reply>[] = []
afterEach(() => {
  for (const outbox of opened.splice(0)) outbox.stop()
})

const lost = new ApiError('The server cannot be reached.', { kind: 'network' })
const unknown = new ApiError('There is no such record.', { kind: 'reply', status: 404, code: 'not_found' })

/** A store that writes only when it is told to. */
function createSlowStore(written: Promise<void>): SafeStore<Value> {
  const memory = createMemoryStore<Value>()
  return createSafeStore({
    ...memory,
    add: async (jobs: readonly Job<Value>[]) => {
      await written
      await memory.add(jobs)
    },
  })
}

/** A disk that takes nothing while it is full, nor gives anything while it is away, and what is kept on it and beside it. */
function createDisk() {
  const disk = createMemoryStore<Value>()
  const state = { isFull: false, isAway: false }
  const refuse = (isReading = false) => {
    if (state.isAway || (state.isFull && !isReading))
      throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError')
  }
  const store = createSafeStore<Value>({
    ...disk,
    async load() {
      refuse(true)
      return await disk.load()
    },
    async add(jobs) {
      refuse()
      await disk.add(jobs)
    },
    async claim(choose, passedOver) {
      refuse(true)
      const { jobs } = await disk.load()
      const fresh = choose(jobs.filter(({ id }) => passedOver?.has(id) !== true)).some(({ sent }) => !sent)
      if (fresh) refuse()
      return await disk.claim(choose, passedOver)
    },
    async settle(outcomes) {
      refuse()
      return await disk.settle(outcomes)
    },
  })
  return { store, disk, state }
}

/** A disk whose browser says nothing of what is written until it answers again. */
function createSilentDisk() {
  let answer = (): void => undefined
  const answering = new Promise<void>((resolve) => (answer = resolve))
  const disk = createMemoryStore<Value>()
  const store = createSafeStore<Value>({
    ...disk,
    async add(jobs) {
      await answering
      await disk.add(jobs)
    },
  })
  return { store, disk, answer: () => answer() }
}

/** What several tabs of one browser share: the store, one turn at a time, and what they tell each other. */
function createBrowser({
  isOnline = true,
  isServerThere = false,
  store = createSafeStore(createMemoryStore<Value>()),
}: { isOnline?: boolean; isServerThere?: boolean; store?: SafeStore<Value> } = {}) {
  const sent: string[] = []
  const tabs = new Set<(news: News<Value, Reply>) => void>()
  let server: (code: string) => Promise<Reply> = async (code) => `stored ${code}`
  let turn: Promise<unknown> = Promise.resolve()

  function openTab(page: string) {
    const answers: string[] = []
    const own = new Set<(news: News<Value, Reply>) => void>()
    const outbox = createOutbox<Value, Reply>({
      owner: 'company/user',
      page,
      store,
      send: async ({ value }) => {
        sent.push(value.code)
        return await server(value.code)
      },
      storedEntries: ({ isEntry }) => (isEntry ? 1 : 0),
      laneOf: ({ value }) => value.code,
      isKept: ({ isEntry }) => isEntry,
      takeTurn: (work) => {
        const mine = turn.then(work)
        turn = Promise.allSettled([mine])
        return mine
      },
      tell: (news) => {
        for (const hear of tabs) if (!own.has(hear)) hear(structuredClone(news))
      },
      hear: (listener) => {
        own.add(listener)
        tabs.add(listener)
        return () => tabs.delete(listener)
      },
      isOnline: () => isOnline,
      isServerThere: async () => isServerThere,
      blocked: ({ value }) => ({ code: 'blocked', message: `${value.code} is stopped.` }),
      onFault: (error) => {
        throw error
      },
    })
    outbox.onAnswers((news) => {
      for (const { job, answer } of news) {
        answers.push('reply' in answer ? answer.reply : `${job.value.code}: ${answer.refusal.code}`)
      }
    })
    opened.push(outbox)
    const scan = (code: string) =>
      outbox.add({ id: `${page} ${code}`, group: 'g', value: { code }, isEntry: true })
    const figures = () => {
      const { jobs, stored } = outbox.getState()
      const waiting = jobs.filter(({ state }) => state === 'waiting').length
      return { stored: stored.get('g') ?? 0, waiting, refused: jobs.length - waiting }
    }
    return { outbox, answers, scan, figures }
  }

  return { sent, openTab, answerWith: (answer: typeof server) => (server = answer) }
}

const codes = Array.from({ length: 30 }, (_, index) => `C-${index}`)

describe('the outbox', () => {
  it('sends entries in order and hands the answers back in order', async () => {
    const { sent, openTab } = createBrowser()
    const { scan, answers, figures } = openTab('one')
    for (const code of codes) scan(code)
    expect(figures()).toEqual({ stored: 0, waiting: 30, refused: 0 })
    await expect.poll(figures).toEqual({ stored: 30, waiting: 0, refused: 0 })
    expect(sent).toEqual(codes)
    expect(answers).toEqual(codes.map((code) => `stored ${code}`))
  })

  it('sends an entry at once where nothing waits, and takes it out when it is written too', async () => {
    let write = (): void => undefined
    const written = new Promise<void>((resolve) => (write = resolve))
    const { sent, openTab } = createBrowser({ store: createSlowStore(written) })
    const { scan, answers, figures } = openTab('one')
    await new Promise((resolve) => setTimeout(resolve, 20))
    scan('A')
    expect(sent).toEqual(['A'])
    await expect.poll(() => answers).toEqual(['stored A'])
    scan('B')
    write()
    await expect.poll(figures).toEqual({ stored: 2, waiting: 0, refused: 0 })
    expect(sent).toEqual(['A', 'B'])
    const after = openTab('two')
    await expect.poll(after.figures).toEqual({ stored: 2, waiting: 0, refused: 0 })
    expect(sent).toEqual(['A', 'B'])
  })

  it('knows whether the network holds up what waits', async () => {
    const { openTab, answerWith } = createBrowser()
    let isAway = true
    answerWith(async (code) => {
      if (isAway) throw lost
      return `stored ${code}`
    })
    const { outbox, scan, figures } = openTab('one')
    scan('A')
    await expect.poll(() => outbox.getState().isHeldUp).toBe(true)
    isAway = false
    await expect.poll(figures).toEqual({ stored: 1, waiting: 0, refused: 0 })
    expect(outbox.getState().isHeldUp).toBe(false)
  })

  it('keeps the first in line until there is an answer for it', async () => {
    const { sent, openTab, answerWith } = createBrowser()
    let failures = 2
    answerWith(async (code) => {
      failures -= 1
      if (failures >= 0) throw lost
      return `stored ${code}`
    })
    const { scan, figures } = openTab('one')
    scan('A')
    scan('B')
    await expect.poll(figures).toEqual({ stored: 2, waiting: 0, refused: 0 })
    expect(sent).toEqual(['A', 'A', 'A', 'B'])
  })

  it('sends several at once where the network is good, the same component never twice at once', async () => {
    const { sent, openTab, answerWith } = createBrowser()
    const underway = new Set<string>()
    let most = 0
    answerWith(async (code) => {
      expect(underway).not.toContain(code)
      underway.add(code)
      most = Math.max(most, underway.size)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underway.delete(code)
      return `stored ${code}`
    })
    const { outbox, answers, figures } = openTab('one')
    const twice = codes.flatMap((code) => [code, code])
    for (const [index, code] of [...codes, ...twice].entries()) {
      outbox.add({ id: String(index), group: 'g', value: { code }, isEntry: true })
    }
    await expect.poll(figures).toEqual({ stored: 90, waiting: 0, refused: 0 })
    expect(most).toBe(16)
    expect(sent).toEqual([...codes, ...twice])
    expect(answers).toEqual(sent.map((code) => `stored ${code}`))
  })

  it('hands nothing back that is behind a lost answer, but asks again under the same keys', async () => {
    const { sent, openTab, answerWith } = createBrowser()
    let isBad = false
    answerWith(async (code) => {
      if (isBad && code === 'C-5') throw lost
      return `stored ${code}`
    })
    const { scan, answers, figures } = openTab('one')
    for (const code of codes.slice(0, 3)) scan(code)
    await expect.poll(figures).toEqual({ stored: 3, waiting: 0, refused: 0 })
    isBad = true
    for (const code of codes.slice(3, 8)) scan(code)
    await expect.poll(figures).toEqual({ stored: 5, waiting: 3, refused: 0 })
    expect(answers).toEqual(codes.slice(0, 5).map((code) => `stored ${code}`))
    isBad = false
    await expect.poll(figures).toEqual({ stored: 8, waiting: 0, refused: 0 })
    expect(answers).toEqual(codes.slice(0, 8).map((code) => `stored ${code}`))
    expect(new Set(sent).size).toBe(8)
  })

  it('goes on where the disk cannot be told of an answer, and tells it later: nothing is stored twice', async () => {
    const { store, disk, state } = createDisk()
    const { sent, openTab, answerWith } = createBrowser({ store })
    answerWith(async (code) => {
      if (code === 'C-2') state.isFull = true
      if (code === 'GHOST') throw unknown
      return `stored ${code}`
    })
    const { scan, answers, figures, outbox } = openTab('one')
    for (const code of ['C-0', 'C-1', 'C-2', 'C-3', 'GHOST', 'C-5', 'C-6', 'C-7']) scan(code)
    await expect.poll(figures).toEqual({ stored: 7, waiting: 0, refused: 1 })
    scan('LATER')
    await expect.poll(figures).toEqual({ stored: 8, waiting: 0, refused: 1 })
    expect(sent).toEqual(['C-0', 'C-1', 'C-2', 'C-3', 'GHOST', 'C-5', 'C-6', 'C-7', 'LATER'])
    expect(answers).toHaveLength(9)
    expect(outbox.getState().isDurable).toBe(false)
    expect((await disk.load()).jobs.map(({ id }) => id)).toContain('one C-7')

    state.isFull = false
    scan('LAST')
    await expect.poll(figures).toEqual({ stored: 9, waiting: 0, refused: 1 })
    expect(sent.filter((code) => code === 'C-7')).toHaveLength(1)
    const left = (await disk.load()).jobs.map(({ id, state: place }) => `${id}: ${place}`)
    expect(left).toEqual(['one GHOST: refused'])
    expect(outbox.getState().isDurable).toBe(true)
  })

  it('writes down what the disk had no room for as soon as there is some, before what is scanned later', async () => {
    const { store, disk, state } = createDisk()
    const { openTab, answerWith } = createBrowser({ store })
    answerWith(async () => {
      throw lost
    })
    const { scan, outbox } = openTab('one')
    state.isFull = true
    scan('A')
    await expect.poll(() => outbox.getState().isDurable).toBe(false)
    state.isFull = false
    scan('B')
    await expect.poll(async () => (await disk.load()).jobs.map(({ id }) => id)).toEqual(['one A', 'one B'])
    await expect.poll(() => outbox.getState().isDurable).toBe(true)
  })

  it('goes on where the browser stops answering, says so, and has nothing twice once it answers again', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { store, disk, answer } = createSilentDisk()
    const { sent, openTab } = createBrowser({ store })
    const { outbox, scan, figures } = openTab('one')
    await vi.advanceTimersByTimeAsync(20)
    for (const code of ['C-0', 'C-1', 'C-2']) scan(code)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(figures()).toEqual({ stored: 1, waiting: 2, refused: 0 })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(figures()).toEqual({ stored: 3, waiting: 0, refused: 0 })
    expect(outbox.getState().isDurable).toBe(false)
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect((await disk.load()).jobs).toMatchObject([{ value: { code: 'C-0' } }])
    scan('C-3')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(figures()).toEqual({ stored: 4, waiting: 0, refused: 0 })
    expect(outbox.getState().isDurable).toBe(true)
    expect((await disk.load()).jobs).toEqual([])
    expect(sent).toEqual(['C-0', 'C-1', 'C-2', 'C-3'])
  })

  it('sends nothing that was taken back while the browser did not answer', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { store, disk, answer } = createSilentDisk()
    const entry = { isEntry: true, owner: 'company/user', page: 'one', sent: false, refusal: null } as const
    const adding = store.add([{ ...entry, id: 'A', group: 'g', value: { code: 'A' }, state: 'waiting' }])
    await vi.advanceTimersByTimeAsync(10_000)
    await adding
    expect(await store.replace('A', [])).toBe(true)
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect((await disk.load()).jobs).toHaveLength(1)
    expect(await store.claim((waiting) => waiting)).toEqual({ jobs: [], isAll: true })
    expect((await disk.load()).jobs).toEqual([])
  })

  it('goes on showing what waits where the disk cannot be read for a while', async () => {
    const { store, state } = createDisk()
    const { openTab, answerWith } = createBrowser({ store })
    answerWith(async (code) => {
      if (code === 'STALLED') throw lost
      return `stored ${code}`
    })
    const { scan, figures, outbox } = openTab('one')
    scan('STALLED')
    scan('A')
    await expect.poll(() => outbox.getState().isHeldUp).toBe(true)
    state.isAway = true
    await expect.poll(() => outbox.getState().isDurable).toBe(false)
    expect(figures()).toEqual({ stored: 0, waiting: 2, refused: 0 })
    state.isAway = false
    answerWith(async (code) => `stored ${code}`)
    outbox.wake()
    await expect.poll(figures).toEqual({ stored: 2, waiting: 0, refused: 0 })
  })

  it('keeps what the server refused, tells it once, and goes on', async () => {
    const { openTab, answerWith } = createBrowser()
    answerWith(async (code) => {
      if (code === 'GHOST') throw unknown
      return `stored ${code}`
    })
    const { outbox, scan, answers, figures } = openTab('one')
    for (const code of ['GHOST', 'A']) scan(code)
    await expect.poll(figures).toEqual({ stored: 1, waiting: 0, refused: 1 })
    expect(answers).toEqual(['GHOST: not_found', 'stored A'])
    expect(outbox.getState().jobs[0]?.refusal).toEqual({ code: 'not_found', message: unknown.message })
  })

  // While the program behind it is away, or while a proxy wants somebody to sign in at itself.
  it.each([403, 404, 405, 511, 521])(
    'waits where a proxy answers %i in place of the server, which has refused nothing',
    async (status) => {
      const page = new ApiError(`HTTP error! status: ${status}`, { kind: 'reply', status, isForeign: true })
      const { sent, openTab, answerWith } = createBrowser()
      answerWith(async (code) => {
        if (sent.length === 1) throw page
        return `stored ${code}`
      })
      const { outbox, scan, answers, figures } = openTab('one')
      scan('A')
      scan('B')
      await expect.poll(() => outbox.getState().isHeldUp).toBe(true)
      expect(figures()).toEqual({ stored: 0, waiting: 2, refused: 0 })
      await expect.poll(figures).toEqual({ stored: 2, waiting: 0, refused: 0 })
      expect(answers).toEqual(['stored A', 'stored B'])
      expect(sent).toEqual(['A', 'A', 'B'])
    },
  )

  const reading = { cause: new SyntaxError('Unexpected token <') }
  const foreign = [
    new ApiError('HTTP error! status: 403', { kind: 'reply', status: 403, isForeign: true }),
    new ApiError('The server sent a reply that cannot be read.', {
      kind: 'bad_reply',
      status: 200,
      ...reading,
    }),
  ]

  it.each(foreign)(
    'leaves to a person what something on the way refuses each time, and goes on: %s',
    async (error) => {
      const { sent, openTab, answerWith } = createBrowser({ isServerThere: true })
      answerWith(async (code) => {
        if (code === 'DISLIKED') throw error
        return `stored ${code}`
      })
      const { outbox, scan, answers, figures } = openTab('one')
      for (const code of ['A', 'DISLIKED', 'B']) scan(code)
      await expect.poll(() => (outbox.wake(), figures())).toEqual({ stored: 2, waiting: 0, refused: 1 })
      expect(answers).toEqual(['stored A', 'DISLIKED: blocked', 'stored B'])
      expect(sent.filter((code) => code === 'DISLIKED')).toHaveLength(5)
      expect(outbox.getState().jobs[0]?.refusal?.message).toBe('DISLIKED is stopped.')
    },
  )

  it.each(foreign)(
    'waits however often something on the way answers while the server does not: %s',
    async (error) => {
      const { sent, openTab, answerWith } = createBrowser()
      answerWith(async () => {
        throw error
      })
      const { outbox, scan, figures } = openTab('one')
      for (const code of ['A', 'B']) scan(code)
      await expect.poll(() => (outbox.wake(), sent.length)).toBeGreaterThan(8)
      expect(figures()).toEqual({ stored: 0, waiting: 2, refused: 0 })
      answerWith(async (code) => `stored ${code}`)
      await expect.poll(() => (outbox.wake(), figures())).toEqual({ stored: 2, waiting: 0, refused: 0 })
    },
  )

  it('waits where a reply of another version cannot be read, or what the proxy says is that the server is away', async () => {
    const passing = [
      new ApiError('The server sent a reply that cannot be read.', { kind: 'bad_reply', status: 200 }),
      new ApiError('HTTP error! status: 521', { kind: 'reply', status: 521, isForeign: true }),
    ]
    const { sent, openTab, answerWith } = createBrowser({ isServerThere: true })
    answerWith(async (code) => {
      const error = passing[sent.length % 2]
      if (error !== undefined) throw error
      return code
    })
    const { outbox, scan, figures } = openTab('one')
    scan('A')
    await expect.poll(() => (outbox.wake(), sent.length)).toBeGreaterThan(12)
    expect(figures()).toEqual({ stored: 0, waiting: 1, refused: 0 })
  })

  it('waits where a page that is being left has cut its call off: nobody knows what the server did', async () => {
    const { sent, openTab, answerWith } = createBrowser()
    answerWith(async (code) => {
      if (sent.length === 1) throw new DOMException('Fetch is aborted', 'AbortError')
      return `stored ${code}`
    })
    const { scan, answers, figures } = openTab('one')
    scan('A')
    await expect.poll(figures).toEqual({ stored: 1, waiting: 0, refused: 0 })
    expect(answers).toEqual(['stored A'])
  })

  it('puts another entry in the place of a refused one, but not of one that may have reached the server', async () => {
    const { sent, openTab, answerWith } = createBrowser()
    answerWith(async (code) => {
      if (code === 'GHOST') throw unknown
      if (code === 'STALLED') throw lost
      return `stored ${code}`
    })
    const { outbox, scan, figures } = openTab('one')
    scan('GHOST')
    await expect.poll(figures).toEqual({ stored: 0, waiting: 0, refused: 1 })
    const better = { id: 'better', group: 'g', value: { code: 'A' }, isEntry: true }
    expect(await outbox.replace('one GHOST', [better])).toBe(true)
    await expect.poll(figures).toEqual({ stored: 1, waiting: 0, refused: 0 })
    scan('STALLED')
    await expect.poll(() => sent).toContain('STALLED')
    scan('NEXT')
    expect(await outbox.replace('one NEXT', [])).toBe(true)
    expect(await outbox.replace('one STALLED', [])).toBe(false)
    expect(figures()).toEqual({ stored: 1, waiting: 1, refused: 0 })
  })

  it('is one for all tabs: nothing twice, nothing out of line, each shows the same', async () => {
    const { sent, openTab } = createBrowser()
    const pages = ['one', 'two', 'three']
    const tabs = pages.map(openTab)
    for (const code of codes) for (const [index, tab] of tabs.entries()) tab.scan(`${pages[index]} ${code}`)
    for (const tab of tabs) {
      await expect.poll(tab.figures).toEqual({ stored: 90, waiting: 0, refused: 0 })
      expect(tab.answers).toHaveLength(90)
    }
    for (const page of pages) {
      expect(sent.filter((code) => code.startsWith(page))).toEqual(codes.map((code) => `${page} ${code}`))
    }
    expect(sent).toHaveLength(90)
  })

  it('does not believe a browser that calls itself offline for long', async () => {
    const { openTab } = createBrowser({ isOnline: false })
    const { scan, figures } = openTab('one')
    for (const code of codes) scan(code)
    await expect.poll(figures).toEqual({ stored: 30, waiting: 0, refused: 0 })
  })

  it('goes on after a reload with what the page before has left', async () => {
    const { openTab, answerWith } = createBrowser()
    answerWith(async () => {
      throw lost
    })
    const before = openTab('one')
    before.scan('A')
    before.scan('B')
    await expect.poll(before.figures).toEqual({ stored: 0, waiting: 2, refused: 0 })
    before.outbox.stop()
    answerWith(async (code) => `stored ${code}`)
    const after = openTab('two')
    await expect.poll(after.figures).toEqual({ stored: 2, waiting: 0, refused: 0 })
    expect(after.answers).toEqual(['stored A', 'stored B'])
  })
})
