import {
  maxLogoBytes,
  tooLargeLogo,
  type LogoType,
} from '@inventory-manager/contract/company/settings-change-endpoints'

/** What a file really is, told by its content; or why it is not taken. */
export type CheckedLogo = { type: LogoType } | { refusal: string }

const maxSide = 4096
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

type Size = { width: number; height: number }

/** PNG (ISO/IEC 15948): the first chunk is the header. */
function pngSize(file: Buffer): Size | null {
  if (file.length < 33 || file.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
}

/** JPEG (ISO/IEC 10918-1): the size stands in the first start-of-frame segment. */
function jpegSize(file: Buffer): Size | null {
  let at = 2
  while (at + 9 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return null
}

function checkSize(type: LogoType, size: Size | null): CheckedLogo {
  if (size === null || size.width < 1 || size.height < 1) return { refusal: 'The picture is damaged.' }
  if (size.width > maxSide || size.height > maxSide) {
    return { refusal: 'The picture is too large: at most 4,096 pixels in width and height.' }
  }
  return { type }
}

const elements = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath ' +
    'linearGradient radialGradient stop clipPath mask pattern'
  ).split(' '),
)

const beforeRoot = /^\uFEFF?\s*(?:<\?xml[^<>?]*\?>)?\s*(?:<!DOCTYPE svg[^<>[\]]*>)?\s*/
const comment = /<!--(?:(?!--)[^<>])*-->/g
const tag =
  /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*)\s*(\/?)>|([^<>]+)/y
const attribute = /([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const plainEntity = /&(?:amp|lt|gt|quot|apos);/g

/** Nothing that runs, nothing that is fetched: references lead to the picture's own parts only. */
function isHarmless(name: string, value: string): boolean {
  if (/^on/i.test(name)) return false
  if (value.replaceAll(plainEntity, '').includes('&')) return false
  if (/(?:^|:)href$/i.test(name)) return value.startsWith('#')
  if (/^(?:xmlns|xml:space|xmlns:)/.test(name)) return true
  return !/[\\@]|script:|expression|image(?:-set)?\(|src\(|url\(\s*(?!["']?#)/i.test(value)
}

function isHarmlessTag(name: string, attributes: string): boolean {
  if (!elements.has(name)) return false
  return [...attributes.matchAll(attribute)].every(([, key = '', quoted, single]) =>
    isHarmless(key, quoted ?? single ?? ''),
  )
}

const mostUses = 50
/** Nothing that is written in another way than the name it means. */
const plainName = /^[\w.:-]+$/

type Tag = { name: string; attributes: string; isEnd: boolean; isEmpty: boolean }

function valuesOf(attributes: string, name: RegExp): string[] {
  return [...attributes.matchAll(attribute)]
    .filter(([, key = '']) => name.test(key))
    .map(([, , quoted, single]) => quoted ?? single ?? '')
}

/** Watches the `use` elements: they repeat parts, and parts that repeat others would grow a picture without end. */
function createUses(): { take: (tag: Tag) => void; areFew: () => boolean } {
  const open: string[][] = []
  const holders = new Set<string>()
  const targets: string[] = []
  let uses = 0

  return {
    take({ name, attributes, isEnd, isEmpty }) {
      if (isEnd) {
        open.pop()
        return
      }
      open.push(valuesOf(attributes, /^id$/))
      if (name === 'use') uses += 1
      // A picture with more is refused anyway, and each looks through all that it lies in.
      if (name === 'use' && uses <= mostUses) {
        for (const id of open.flat()) holders.add(id)
        targets.push(...valuesOf(attributes, /(?:^|:)href$/i).map((href) => href.slice(1)))
      }
      if (isEmpty) open.pop()
    },
    areFew: () =>
      Math.max(uses, targets.length) <= mostUses &&
      targets.every((target) => plainName.test(target) && !holders.has(target)),
  }
}

/** Whether text is an SVG picture made of known, passive parts only. Whatever is not understood is refused. */
function isSafeSvg(source: string): boolean {
  const text = source.replace(beforeRoot, '').replaceAll(comment, '').trim()
  if (!/^<svg[\s>]/.test(text) || !/<\/svg>$|\/>$/.test(text)) return false
  const uses = createUses()
  tag.lastIndex = 0
  while (tag.lastIndex < text.length) {
    const found = tag.exec(text)
    if (found === null) return false
    const [, closing, name, attributes = '', empty, words = ''] = found
    if (words.replaceAll(plainEntity, '').includes('&')) return false
    if (name === undefined) continue
    if (!isHarmlessTag(name, attributes)) return false
    uses.take({ name, attributes, isEnd: closing === '/', isEmpty: empty === '/' })
  }
  return uses.areFew()
}

function decode(file: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Checks a logo: PNG or JPEG of a sensible size, or an SVG that can neither run nor fetch anything. */
export function checkLogo(file: Buffer): CheckedLogo {
  if (file.length > maxLogoBytes) return { refusal: tooLargeLogo }
  if (file.subarray(0, 8).equals(pngSignature)) return checkSize('image/png', pngSize(file))
  if (file[0] === 0xff && file[1] === 0xd8) return checkSize('image/jpeg', jpegSize(file))
  const text = decode(file)
  if (text === null || !/<svg[\s>]/.test(text)) {
    return { refusal: 'A logo is a PNG, JPEG or SVG picture.' }
  }
  if (isSafeSvg(text)) return { type: 'image/svg+xml' }
  return {
    refusal:
      'This SVG holds more than plain shapes. Save it as a plain SVG without styles or scripts, or as PNG.',
  }
}
