/** Code pages of Windows, in which spreadsheets save CSV: of all systems of these languages, of others the first. */
const codePages = [
  { encoding: 'windows-1252', name: 'Western European', languages: [] },
  {
    encoding: 'windows-1250',
    name: 'Central European',
    languages: ['bs', 'cs', 'hr', 'hu', 'pl', 'ro', 'sk', 'sl', 'sq'],
  },
  {
    encoding: 'windows-1251',
    name: 'Cyrillic',
    languages: ['be', 'bg', 'kk', 'ky', 'mk', 'mn', 'ru', 'sr', 'tg', 'uk'],
  },
  { encoding: 'windows-1253', name: 'Greek', languages: ['el'] },
  { encoding: 'windows-1254', name: 'Turkish', languages: ['az', 'tr', 'uz'] },
  { encoding: 'windows-1255', name: 'Hebrew', languages: ['he'] },
  { encoding: 'windows-1256', name: 'Arabic', languages: ['ar', 'fa', 'ur'] },
  { encoding: 'windows-1257', name: 'Baltic', languages: ['et', 'lt', 'lv'] },
  { encoding: 'windows-1258', name: 'Vietnamese', languages: ['vi'] },
  { encoding: 'windows-874', name: 'Thai', languages: ['th'] },
  { encoding: 'shift_jis', name: 'Japanese', languages: ['ja'] },
  { encoding: 'big5', name: 'Chinese, traditional', languages: ['zh-hant', 'zh-hk', 'zh-mo', 'zh-tw'] },
  { encoding: 'gb18030', name: 'Chinese, simplified', languages: ['zh'] },
  { encoding: 'euc-kr', name: 'Korean', languages: ['ko'] },
] as const satisfies readonly { encoding: string; name: string; languages: readonly string[] }[]

type CodePage = (typeof codePages)[number]['encoding']

/** What the bytes of a text file stand for, as TextDecoder names it. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | CodePage

/** What a text file may be in that does not tell which; UTF-8 too, where a letter of it is broken. */
export const encodingChoices: readonly { value: Encoding; label: string }[] = [
  ...codePages.map(({ encoding, name }) => ({ value: encoding, label: name })),
  { value: 'utf-8', label: 'UTF-8' },
]

/** What somebody may choose instead of how a text file was taken; null where the file tells by itself. */
export function choiceOf(encoding: Encoding): Encoding | null {
  return codePages.some((page) => page.encoding === encoding) ? encoding : null
}

/** The code page of systems of a language (BCP 47). */
function codePageOf(language: string): CodePage {
  const tag = language.toLowerCase()
  const found = codePages.find(({ languages }) =>
    languages.some((each) => tag === each || tag.startsWith(`${each}-`)),
  )
  return found?.encoding ?? codePages[0].encoding
}

async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      decoder.decode(read.value, { stream: true })
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  } finally {
    reader.releaseLock()
  }
}

/**
 * How a text file is encoded: UTF-16 where it says so at its start, UTF-8 where it is some, else the code page in which spreadsheets of
 * this language save CSV. Reads in pieces, so a file may be of any size.
 */
export async function encodingOf(file: Blob, language: string): Promise<Encoding> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Some programs leave the mark away: the first sign of a file is one of ASCII then.
  if (first !== undefined && second === 0) return 'utf-16le'
  if (first === 0) return 'utf-16be'
  return (await isUtf8(file)) ? 'utf-8' : codePageOf(language)
}

/** The text of a file, read as somebody chose or else as is likeliest, and what may be chosen instead. */
export async function readText(
  file: Blob,
  { chosen, language }: { chosen: Encoding | null; language: string },
): Promise<{ text: string; choice: Encoding | null }> {
  const encoding = chosen ?? (await encodingOf(file, language))
  const text = new TextDecoder(encoding).decode(await file.arrayBuffer())
  return { text, choice: chosen ?? choiceOf(encoding) }
}
