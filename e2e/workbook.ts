import { deflateRawSync } from 'node:zlib'

/** What a zip says of a file, but for where it is, in the words that stand in its head and in the directory. */
function factsOf(packed: Buffer, text: Buffer, path: string): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(8, 4)
  facts.writeUInt32LE(packed.length, 14)
  facts.writeUInt32LE(text.length, 18)
  facts.writeUInt16LE(Buffer.byteLength(path), 22)
  return facts
}

function zip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, given] of Object.entries(files)) {
    const text = Buffer.from(given)
    const packed = deflateRawSync(text)
    const facts = factsOf(packed, text, path)
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(path), packed])
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(at, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), facts, entry, Buffer.from(path)]),
    )
    parts.push(file)
    at += file.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A text in a cell, a number with the number of its style, or the error of a formula. */
type Cell = string | { number: string; style?: number } | { error: string }

function cellXml(cell: Cell, place: string): string {
  if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${cell}</v></c>`
  return 'error' in cell
    ? `<c r="${place}" t="e"><f>1/0</f><v>${cell.error}</v></c>`
    : `<c r="${place}" s="${cell.style ?? 0}"><v>${cell.number}</v></c>`
}

/** Styles of a workbook: 1 pads with zeros up to 13 digits, 2 is of days. */
const styles =
  `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0000000000000"/></numFmts>` +
  '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></styleSheet>'

/** A workbook as spreadsheets save it, with its texts in a table of their own. */
export function workbookOf(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Buffer {
  const texts = new Map<string, number>()
  const indexOf = (text: string) => {
    if (!texts.has(text)) texts.set(text, texts.size)
    return String(texts.get(text))
  }
  const sheetXml = (rows: readonly (readonly Cell[])[]) =>
    rows.map((cells, index) => {
      const xml = cells.map((cell, column) =>
        cellXml(
          typeof cell === 'string' ? indexOf(cell) : cell,
          `${String.fromCharCode(65 + column)}${index + 1}`,
        ),
      )
      return `<row r="${index + 1}">${xml.join('')}</row>`
    })
  const names = Object.keys(sheets)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const files: Record<string, string> = {
    '_rels/.rels': `<Relationships xmlns="${packages}">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}">${names.map((_, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)).join('')}${relation('s', 'sharedStrings', 'sharedStrings.xml')}${relation('t', 'styles', '/xl/styles.xml')}</Relationships>`,
    'xl/styles.xml': styles,
  }
  names.forEach((name, index) => {
    files[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${sheetXml(sheets[name] ?? []).join('')}</sheetData></worksheet>`
  })
  files['xl/sharedStrings.xml'] =
    `<sst xmlns="${main}">${Array.from(texts.keys(), (text) => `<si><t>${text}</t></si>`).join('')}</sst>`
  return zip(files)
}
