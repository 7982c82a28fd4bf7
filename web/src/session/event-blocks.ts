export type EventBlock = { type: string; data: string; id: string | null }

function fieldOf(block: string, name: string): string | null {
  const line = block.split('\n').find((text) => text.startsWith(`${name}:`))
  return line === undefined ? null : line.slice(name.length + 1).trimStart()
}

/** Takes a stream of server-sent events apart (WHATWG HTML, 9.2, as far as this server writes it). */
export function createBlockReader(): (piece: string) => EventBlock[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.map((block) => ({
      type: fieldOf(block, 'event') ?? '',
      data: fieldOf(block, 'data') ?? '',
      id: fieldOf(block, 'id'),
    }))
  }
}
