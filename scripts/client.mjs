import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root, runScript, say, StopError } from './script.mjs'

/** @typedef {Record<string, any>} Schema a part of the OpenAPI document */

const source = join(root, 'packages', 'client', 'src')
const work = join(root, '.cache', 'client')
const target = join(root, 'packages', 'client', 'dist')

/**
 * Words before what they are about, in the editor of whoever uses it.
 * @param {string | undefined} text
 */
function comment(text) {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`
}

/** @param {Schema} schema */
function objectType(schema) {
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) =>
      `${comment(field.description)}${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  const { additionalProperties: others } = schema
  if (fields.length === 0)
    return `Record<string, ${others ? typeOf(others === true ? {} : others) : 'never'}>`
  return `{ ${fields.join('; ')} }`
}

/** @type {Record<string, (schema: Schema) => string>} */
const plainTypes = {
  string: () => 'string',
  number: () => 'number',
  integer: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items = {} }) => `(${typeOf(items)})[]`,
  object: objectType,
}

/**
 * A schema of the document as TypeScript's type.
 * @param {Schema} schema
 * @returns {string}
 */
function typeOf(schema) {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((/** @type {Schema} */ choice) => `(${typeOf(choice)})`).join(' | ')
  if (schema.allOf) return schema.allOf.map((/** @type {Schema} */ part) => `(${typeOf(part)})`).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  return schema.type in plainTypes ? plainTypes[schema.type](schema) : 'unknown'
}

/**
 * @param {Schema} operation
 * @param {'path' | 'query'} place
 */
function parametersOf(operation, place) {
  const found = (operation.parameters ?? []).filter(
    (/** @type {Schema} */ parameter) => parameter.in === place,
  )
  if (found.length === 0) return []
  const optional = found.every((/** @type {Schema} */ parameter) => !parameter.required)
  const fields = found.map(
    (/** @type {Schema} */ { name, required, schema }) =>
      `${comment(schema.description)}${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  return [`${place === 'path' ? 'params' : 'query'}${optional ? '?' : ''}: { ${fields.join('; ')} }`]
}

/** @param {Schema} operation */
function bodyOf({ requestBody }) {
  if (!requestBody) return []
  return [`body${requestBody.required ? '' : '?'}: ${typeOf(requestBody.content['application/json'].schema)}`]
}

/** @param {Schema} operation */
function replyOf({ responses }) {
  const status = Object.keys(responses).find((code) => code.startsWith('2')) ?? ''
  const content = responses[status].content ?? {}
  if (content['application/json'])
    return { repliesWith: 'json', type: typeOf(content['application/json'].schema) }
  if (content['text/event-stream']) return { repliesWith: 'events', type: 'Response' }
  return { repliesWith: 'file', type: 'Blob' }
}

/**
 * The calls of an OpenAPI document as a type and a table.
 * @param {Schema} document
 */
function writeCalls(document) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const types = operations.map(({ operation }) => {
    const input = [
      ...parametersOf(operation, 'path'),
      ...parametersOf(operation, 'query'),
      ...bodyOf(operation),
    ]
    return `  ${comment(`${operation.summary}. ${operation.description}`)}  ${operation.operationId}: { input: { ${input.join('; ')} }; reply: ${replyOf(operation).type} }`
  })
  const table = operations.map(({ path, method, operation }) => {
    const { repliesWith } = replyOf(operation)
    const tellsTime = operation.parameters?.some((/** @type {Schema} */ { name }) => name === 'Sent-At')
    const place = { method, path, repliesWith, ...(tellsTime ? { tellsTime } : {}) }
    return `  ${operation.operationId}: ${JSON.stringify(place)},`
  })
  return `export type Calls = {\n${types.join('\n')}\n}\n\nexport const calls = {\n${table.join('\n')}\n} as const\n`
}

const index = `import { calls, type Calls } from './calls.ts'
import { clientOf, type Client, type ClientOptions } from './client.ts'

export { ClientError } from './client.ts'
export type { Calls, Client, ClientOptions }

/** A client of the program at an address; signed in with \`token\`, or later by \`as\`. */
export function createClient(options: ClientOptions): Client<Calls> {
  return clientOf<Calls>(calls, options)
}
`

const compiler = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    rootDir: '.',
    outDir: target,
  },
  include: ['*.ts'],
}

await runScript(async () => {
  await ensureInstalled()
  const { tsImport } = await import('tsx/esm/api')
  const { allEndpoints } = await tsImport(
    '@inventory-manager/contract/all-endpoints',
    join(root, 'server', 'src', 'app.ts'),
  )
  const { describeApi } = await tsImport('./platform/http/openapi.ts', join(root, 'server', 'src', 'app.ts'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  rmSync(work, { recursive: true, force: true })
  rmSync(target, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  copyFileSync(join(source, 'client.ts'), join(work, 'client.ts'))
  writeFileSync(join(work, 'calls.ts'), writeCalls(await describeApi(allEndpoints, version)))
  writeFileSync(join(work, 'index.ts'), index)
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(compiler))
  const { code, output } = await runTool('typescript-7#tsc', ['-p', work])
  if (code !== 0) throw new StopError(`${output}\nThe client could not be built.`)
  // Declarations keep the sources' endings, which older compilers do not look for in a package.
  for (const name of readdirSync(target).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(target, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"))
  }
  say(`The client of ${Object.keys(allEndpoints).length} calls is in ${target}.`)
})
