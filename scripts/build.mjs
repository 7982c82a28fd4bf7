import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runTool } from './command.mjs'
import { compressFiles } from './compress.mjs'
import { listFiles } from './files.mjs'
import { ensureInstalled } from './install.mjs'
import { withLock } from './lock.mjs'
import { weigh } from './weight.mjs'
import { isMain, root, runScript, say, StopError } from './script.mjs'

/**
 * @typedef {object} Part
 * @property {string} name its folder
 * @property {string[]} inputs files and folders that make a difference to what is built
 * @property {string[]} results files that a finished build has
 */

const shared = ['contract/src', 'package-lock.json', 'tsconfig.base.json']
/** @type {Part[]} */
const parts = [
  {
    name: 'web',
    inputs: [...shared, 'web/src', 'web/public', 'web/index.html', 'web/vite.config.ts', 'web/package.json'],
    results: ['index.html'],
  },
  {
    name: 'server',
    inputs: [...shared, 'server/src', 'server/migrations', 'server/vite.config.ts', 'server/package.json'],
    results: ['main.js', 'cli.js'],
  },
]
const testFile = /\.(test|spec)\.tsx?$/
const stampName = '.built'

/** Builds the parts whose sources changed since they were built. */
export async function ensureBuilt() {
  if (parts.every(isFresh)) return
  await withLock('build', () => buildParts(parts.filter((part) => !isFresh(part))))
}

async function buildAll() {
  await ensureInstalled()
  await withLock('build', () => buildParts(parts))
}

/** @param {Part[]} stale */
async function buildParts(stale) {
  if (stale.length === 0) return
  say(`Building ${stale.map((part) => part.name).join(' and ')}…`)
  const failures = (await Promise.all(stale.map(buildPart))).filter((failure) => failure !== '')
  if (failures.length > 0) throw new StopError(failures.join('\n'))
}

/**
 * Builds beside the old result and swaps the two, so that a build that breaks leaves the old one.
 * @param {Part} part
 * @returns {Promise<string>} what went wrong, or ''
 */
async function buildPart(part) {
  const stamp = fingerprint(part)
  const next = join(root, '.cache', 'build', part.name)
  const args = ['build', '--outDir', next, '--emptyOutDir']
  const { code, output, seconds } = await runTool('vite', args, {
    cwd: join(root, part.name),
    env: { NODE_ENV: 'production' },
  })
  const missing = part.results.filter((file) => !existsSync(join(next, file)))
  if (code !== 0) return `${output}\nThe ${part.name} part could not be built: see the lines above.`
  if (missing.length > 0) return `${output}\nThe ${part.name} build left no ${missing.join(' and no ')}.`
  const overweight = part.name === 'web' ? weigh(next) : []
  if (overweight.length > 0) return overweight.join('\n')
  if (part.name === 'web') await compressFiles(next)
  // A program that was built before the clone went on must not apply what has come since.
  else cpSync(join(root, 'server', 'migrations'), join(next, 'migrations'), { recursive: true })
  writeFileSync(join(next, stampName), stamp)
  swapIn(next, join(root, part.name, 'dist'))
  say(`Built ${part.name} in ${seconds.toFixed(1)} s.`)
  return ''
}

/**
 * @param {string} next
 * @param {string} dist
 */
function swapIn(next, dist) {
  const old = `${next}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(next, dist)
  rmSync(old, { recursive: true, force: true })
}

/** @param {Part} part */
function isFresh(part) {
  const dist = join(root, part.name, 'dist')
  if (![stampName, ...part.results].every((file) => existsSync(join(dist, file)))) return false
  return readFileSync(join(dist, stampName), 'utf8') === fingerprint(part)
}

/** @param {Part} part */
function fingerprint(part) {
  const hash = createHash('sha256')
  for (const file of part.inputs.flatMap(inputFiles)) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** @param {string} input */
function inputFiles(input) {
  const path = join(root, input)
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return listFiles(path).filter((file) => !testFile.test(file))
}

if (isMain(import.meta.url)) await runScript(buildAll)
