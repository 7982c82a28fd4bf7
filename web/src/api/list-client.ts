import type { Endpoint, EndpointCall, EndpointReply } from '@inventory-manager/contract/endpoint'
import { z } from '@inventory-manager/contract/zod'
import { eitherOf } from '../lib/signals.ts'
import { nextTask } from '../lib/tasks.ts'
import { badReply, callForStream } from './client.ts'

/** How many items of a list are read before the page may do something else: about a millisecond. */
const sliceLength = 250

type Parts = Record<string, unknown>

function isParts(value: unknown): value is Parts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function parseArray(schema: z.ZodMiniArray, items: readonly unknown[]): Promise<unknown[]> {
  const parsed: unknown[] = []
  for (let from = 0; from < items.length; from += sliceLength) {
    await nextTask()
    parsed.push(...schema.parse(items.slice(from, from + sliceLength)))
  }
  return parsed
}

/** What a schema makes of a reply, its lists a slice at a time. Throws ZodError. */
async function parseInSlices(schema: z.ZodMiniType, value: unknown): Promise<unknown> {
  if (!(schema instanceof z.ZodMiniObject) || !isParts(value)) return schema.parse(value)
  const lists: Parts = {}
  const rest: Parts = { ...value }
  for (const [name, part] of Object.entries(schema.shape)) {
    const items = value[name]
    if (!(part instanceof z.ZodMiniArray) || !Array.isArray(items)) continue
    lists[name] = await parseArray(part, items)
    rest[name] = []
  }
  return { ...schema.parse(rest), ...lists }
}

/**
 * The text of a reply with long lists as the endpoint's reply; nobody who types meanwhile waits for it. Throws ApiError of
 * kind 'bad_reply'.
 */
export async function readList<E extends Endpoint>(endpoint: E, text: string): Promise<EndpointReply<E>> {
  if (!('json' in endpoint.reply)) throw new Error('Use callForFile for files.')
  try {
    // Parsed by the endpoint's own schema, which the compiler cannot follow through the generic.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await parseInSlices(endpoint.reply.json, JSON.parse(text))) as EndpointReply<E>
  } catch (error) {
    throw badReply(error, null)
  }
}

/** As long as the database may take for a list. */
const silenceMs = 30_000

/** Ends what nothing is heard of, as in a place that the network does not reach. */
function createPatience(): { signal: AbortSignal; heard: () => void; end: () => void } {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => clearTimeout(timer)
  function heard(): void {
    end()
    timer = setTimeout(() => silence.abort(new DOMException('Nothing was heard.', 'TimeoutError')), silenceMs)
  }
  heard()
  return { signal: silence.signal, heard, end }
}

/**
 * Calls an endpoint whose reply has thousands of items; gives its text, too. Throws ApiError, of kind 'timeout' when nothing
 * was heard for half a minute.
 */
export async function callForList<E extends Endpoint>(
  endpoint: E,
  input: EndpointCall<E>,
  options: { signal: AbortSignal; onHeard?: () => void },
): Promise<{ list: EndpointReply<E>; text: string }> {
  const pieces: string[] = []
  const patience = createPatience()
  const signal = eitherOf(options.signal, patience.signal)
  try {
    // As they come: to read megabytes at the end would keep the page busy.
    for await (const piece of callForStream(endpoint, input, { signal })) {
      patience.heard()
      options.onHeard?.()
      pieces.push(piece)
    }
  } finally {
    patience.end()
  }
  const text = pieces.join('')
  return { list: await readList(endpoint, text), text }
}
