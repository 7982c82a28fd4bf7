/** Stands in most hostile texts; no error reply may repeat it. */
export const canary = 'KANARI7'

type HostileText = { name: string; text: string }

/** A hostile JSON value as the text that is sent: `1e400` and `-0` do not survive JSON.stringify. */
export type HostileJson = { name: string; json: string }

const nul = '\0'
const loneHigh = '\ud800'
const loneLow = '\udc00'

const texts: Record<string, string> = {
  empty: '',
  space: ' ',
  digits: '5',
  'NUL alone': nul,
  'NUL inside': `${canary}${nul}x`,
  'lone high surrogate': `${canary}${loneHigh}`,
  'lone low surrogate': `${loneLow}${canary}`,
  'surrogates the wrong way round': `${loneLow}${loneHigh}`,
  'control characters': `${canary}\u0001\u0008\u001b\u007f\u0085`,
  'tab and line breaks': `${canary}\t\r\n`,
  'CRLF header': `${canary}\r\nSet-Cookie: a=b\r\n\r\n<html>`,
  'line breaks without end': `a${'\n'.repeat(1_990)}${canary}`,
  'line separators': `${canary}\u2028\u2029`,
  'byte-order mark': `\ufeff${canary}`,
  'right to left': `${canary}\u202e\u0627\u0644\u0639\u0631\u0628\u064a\u0629`,
  'joined emoji': '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}',
  CJK: '倉庫在庫管理システム',
  combining: `a${'\u0301'.repeat(100)}`,
  'full-width digits': '\uff11\uff12\uff13',
  noncharacter: '\uffff\ufffe',
  '48 characters': 'A'.repeat(48),
  '49 characters': 'A'.repeat(49),
  '500 characters': 'A'.repeat(500),
  '501 characters': 'A'.repeat(501),
  '10,000 characters': `${canary}${'A'.repeat(10_000)}`,
  '2,000 emoji': '\u{1f600}'.repeat(2_000),
  'SQL quote': `${canary}' OR '1'='1`,
  'SQL comment': `${canary}'; DROP TABLE components; --`,
  'SQL cast': "1'::uuid",
  'SQL pattern': `%_\\${canary}%`,
  backslash: `${canary}\\`,
  __proto__: '__proto__',
  constructor: 'constructor',
  prototype: 'prototype',
  toString: 'toString',
  hasOwnProperty: 'hasOwnProperty',
  NaN: 'NaN',
  Infinity: 'Infinity',
  undefined: 'undefined',
  null: 'null',
  hexadecimal: '0x10',
  exponent: '1e3',
  'scientific barcode': '5.57E+92',
  'negative text': '-1',
  'date infinity': 'infinity',
  'date minus infinity': '-infinity',
  'date 294277': '+294277-01-01T00:00:00.000Z',
  'date 275760': '+275760-09-13T00:00:00.000Z',
  'date 9999': '9999-12-31T23:59:59.999Z',
  'date 0000': '0000-01-01T00:00:00.000Z',
  'date BC': '-000001-01-01T00:00:00.000Z',
  'date of no month': '2026-13-45T25:61:61.000Z',
  'date with a far offset': '2026-01-01T00:00:00+23:59',
  'date of many digits': `2026-01-01T00:00:00.${'1'.repeat(300)}Z`,
  'date now': 'now',
  braces: `{{7*7}}${canary}`,
  template: `\${7*7}${canary}`,
  'percent template': `%s%n%x${canary}`,
  markup: `<img src=x onerror=alert(1)>${canary}`,
  formula: `=cmd|'/c calc'!A1${canary}`,
  PDF: `) Tj ET ${canary} (`,
  'path up': `../../../etc/${canary}`,
  'path up, Windows': `..\\..\\${canary}`,
  'file URL': `file:///${canary}`,
  'word that signs out': `TOKEN-${canary}`,
  'other word that signs out': `unauthorized ${canary}`,
  'display name': 'Primary Warehouse',
  'lower-case code': 'primary',
  'closed location': 'DISTRIBUTION',
  'long e-mail': `${'a'.repeat(300)}@${canary}.example`,
  'e-mail with NUL': `a${nul}@${canary}.example`,
  'repeating e-mail': `${'a@'.repeat(2_000)}.`,
  'no version of a uuid': '00000000-0000-0000-0000-000000000000',
  'some uuid': '01890a5d-ac96-774b-bcce-b302099a8057',
  'upper-case uuid': '01890A5D-AC96-774B-BCCE-B302099A8057',
  'almost a uuid': '01890a5d-ac96-774b-bcce-b302099a805',
}

/** Hostile texts, for query parameters, path ids and, as JSON, for fields. */
export const hostileTexts: readonly HostileText[] = Object.entries(texts).map(([name, text]) => ({
  name,
  text,
}))

function wideMap(keys: number): string {
  return `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join(',')}}`
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

const polluting = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'

const values: Record<string, string> = {
  '2^31': '2147483648',
  '2^31-1': '2147483647',
  '2^53+1': '9007199254740993',
  '-2^31-1': '-2147483649',
  '-1': '-1',
  '-0': '-0',
  '0': '0',
  '1': '1',
  '1.5': '1.5',
  '1e400': '1e400',
  '-1e400': '-1e400',
  '1e-400': '1e-400',
  '1e21': '1e21',
  'many digits': `1${'0'.repeat(400)}`,
  null: 'null',
  true: 'true',
  false: 'false',
  '[]': '[]',
  '[5]': '[5]',
  '["5"]': '["5"]',
  '[null]': '[null]',
  '{}': '{}',
  '{"length":1}': '{"length":1}',
  '{"toString":1}': '{"toString":1,"valueOf":1}',
  '{"toJSON":1}': '{"toJSON":"x","then":1}',
  'a polluting map': polluting,
  'a polluting list': `[${polluting}]`,
  'a map with hostile keys': `{"__proto__":1,"toString":1,"hasOwnProperty":1,"":1,"${canary}":1}`,
  'a map with NUL as key': '{"\\u0000":1}',
  'a map with NUL as value': '{"a":"\\u0000"}',
  'a map with half a key': '{"\\ud800":1}',
  'a map with half a value': '{"a":["\\ud800"]}',
  'a map of days': `{"Monday":["PRIMARY","PRIMARY"],"${canary}":["PRIMARY"]}`,
  'a map with a token': `{"TOKEN-${canary}":["TOKEN-${canary}"]}`,
  'a map with 1e400': '{"a":1e400}',
  'a map with a long key': `{"${'k'.repeat(101)}":1}`,
  'nested 50 deep': nested(50),
  'nested 3,000 deep': nested(3_000),
  'nested 100,000 deep': nested(100_000),
  'maps 50 deep': `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  'a map of 1,000': wideMap(1_000),
  'a map of 20,001': wideMap(20_001),
  'a list of 10,001': `[${'1,'.repeat(10_000)}1]`,
  'a list of 30,000 empty maps': `[${'{},'.repeat(29_999)}{}]`,
}

/** Hostile values for one field of a JSON body. */
export const hostileJson: readonly HostileJson[] = [
  ...Object.entries(values).map(([name, json]) => ({ name, json })),
  ...hostileTexts.map(({ name, text }) => ({ name: `text: ${name}`, json: JSON.stringify(text) })),
]

/** Keys that no body has; most of them claim something for the sender. */
export const hostileKeys: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'then',
  'toJSON',
  '',
  nul,
  loneHigh,
  canary,
  `TOKEN-${canary}`,
  'tenant_id',
  'tenantId',
  'user_id',
  'user_type',
  'role',
  'id',
  'trial_ends_at',
]

/** Pieces of an address that are sent as they stand. */
export const hostilePathPieces: readonly string[] = [
  '%00',
  '%',
  '%zz',
  '%FF',
  '%C0%AF',
  '%ED%A0%80',
  '%2e%2e',
  '..',
  '..%2f..%2f',
  '%2F',
  '%5c',
  '%252e%252e%252f',
  '%0d%0aSet-Cookie:%20a=b',
  '%27%20or%201=1--',
  ';x=1',
  '/',
  '//',
  '/.',
  '.json',
  '*',
  ':id',
  '{id}',
  '#x',
  '\\',
  '__proto__',
  canary,
  `TOKEN-${canary}`,
  'a'.repeat(499),
  'a'.repeat(501),
  'a'.repeat(10_000),
]

/** Headers whose value a server must not believe or choke on. */
export const hostileHeaders: readonly Record<string, string>[] = [
  { 'x-tenant-id': canary },
  { 'x-user-id': canary },
  { 'x-forwarded-for': `${canary}, 127.0.0.1` },
  { 'x-forwarded-host': canary },
  { 'x-http-method-override': 'DELETE' },
  { host: `${canary}.example` },
  { accept: canary },
  { 'accept-encoding': `${canary};q=2, *;q=0` },
  { 'accept-encoding': 'identity;q=0' },
  { 'accept-version': '9.9.9' },
  { cookie: `token=${canary}` },
  { 'user-agent': `\xff${canary}${'u'.repeat(2_000)}` },
  { range: 'bytes=0-1,5-4' },
  { 'if-none-match': '*' },
  { expect: canary },
  { origin: `https://${canary}.example` },
  { 'x-request-id': canary },
  { [canary.toLowerCase()]: 'h'.repeat(20_000) },
]

/** Content types other than the one there is; `refused` says that a body of this type is never read. */
export const contentTypes: readonly { type: string; refused: boolean }[] = [
  { type: 'text/plain', refused: true },
  { type: 'application/x-www-form-urlencoded', refused: true },
  { type: 'multipart/form-data; boundary=x', refused: true },
  { type: 'application/xml', refused: true },
  { type: 'application/jsonp', refused: true },
  { type: 'application/ json', refused: true },
  { type: canary, refused: true },
  { type: 'application/vnd.api+json', refused: true },
  { type: 'application/json garbage', refused: false },
  { type: 'application/json\tx', refused: false },
  { type: ' application/json', refused: false },
  { type: 'APPLICATION/JSON', refused: false },
  { type: 'application/json; charset=utf-16', refused: false },
  { type: `application/json; charset=${canary}`, refused: false },
  { type: 'application/json;charset="', refused: false },
]

/** Idempotency keys; `refused` ones are never taken. */
export const idempotencyKeys: readonly { key: string; refused: boolean }[] = [
  { key: 'the-same-for-everything', refused: false },
  { key: 'a', refused: false },
  { key: 'k'.repeat(255), refused: false },
  { key: '__proto__', refused: false },
  { key: "'; drop table operations; --".replaceAll(' ', ''), refused: false },
  { key: 'k'.repeat(256), refused: true },
  { key: `${canary} with spaces`, refused: true },
  { key: `\xe9${canary}`, refused: true },
]
