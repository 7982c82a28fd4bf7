import { SaxesParser } from 'saxes'
import { nextTask } from '../lib/tasks.ts'
import { zippedText, type Zip } from './zip.ts'

export type Attributes = Readonly<Record<string, string>>

/** Is told of the elements of a file, by their names without a prefix, and of the text in them. */
export type XmlReader = {
  opened: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  closed?: (name: string) => void
}

/** Those of workbooks are hardly ten deep; each open one is held in memory. */
const mostOpen = 100

function createParser(reader: XmlReader): SaxesParser {
  const parser = new SaxesParser({ position: false, xmlns: false })
  let open = 0
  const localName = (name: string) => name.slice(name.indexOf(':') + 1)
  const text = (piece: string) => reader.text?.(piece)
  parser.on('opentag', ({ name, attributes }) => {
    open += 1
    if (open > mostOpen) throw new RangeError('Elements are in one another too deep.')
    reader.opened(localName(name), attributes)
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }) => {
    open -= 1
    reader.closed?.(localName(name))
  })
  return parser
}

/** Reads an XML file in a zip piece by piece, with the share of it that is read; nothing where there is no such file. */
export async function* readXml(
  zip: Zip,
  path: string,
  reader: XmlReader,
): AsyncGenerator<{ characters: number; share: number }, void, undefined> {
  const entry = zip.get(path)
  if (entry === undefined) return
  const parser = createParser(reader)
  for await (const { text, share } of zippedText(entry)) {
    parser.write(text)
    yield { characters: text.length, share }
    // What is unpacked already arrives without a pause.
    await nextTask()
  }
  parser.close()
}
