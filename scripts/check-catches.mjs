import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.mjs'
import { root } from './script.mjs'

// Linters let a handler pass that holds nothing but a comment; this does not.
const nothing = String.raw`(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*`
const handler = String.raw`(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>\s*`
const swallowing = [
  String.raw`\bcatch\s*(?:\([^)]*\)\s*)?\{${nothing}\}`,
  String.raw`\.catch\(${nothing}${handler}(?:\{${nothing}\}|undefined|null|void 0|false|true|\[\]|'')${nothing},?\s*\)`,
  String.raw`\.catch\(${nothing}function\s*\w*\([^)]*\)\s*\{${nothing}\}`,
  String.raw`\.catch\(\s*noop\s*\)`,
]
const swallowedError = new RegExp(swallowing.join('|'), 'g')

/**
 * Looks for places where an error is caught and dropped.
 * @returns {Promise<import('./command.mjs').CommandResult>}
 */
export async function checkCatches() {
  const started = performance.now()
  const { names, problem } = await listSources()
  const findings = names.flatMap((name) =>
    findSwallowedErrors(readFileSync(join(root, name), 'utf8')).map((line) => `${name}:${line}`),
  )
  const lines = findings.map(
    (place) => `${place} catches an error and drops it: handle it or let it through.`,
  )
  lines.push(problem || `${names.length} files, ${findings.length} swallowed errors`)
  return {
    code: findings.length > 0 || names.length === 0 ? 1 : 0,
    output: `${lines.join('\n')}\n`,
    seconds: (performance.now() - started) / 1000,
  }
}

/**
 * @param {string} source
 * @returns {number[]} line numbers
 */
function findSwallowedErrors(source) {
  return [...source.matchAll(swallowedError)].map((match) => source.slice(0, match.index).split('\n').length)
}

async function listSources() {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--']
  const { code, output } = await runCommand('git', [...listing, '*.ts', '*.tsx', '*.mjs'])
  if (code !== 0)
    return { names: [], problem: `The files are listed with git, and git failed: ${output.trim()}` }
  return {
    names: output.split('\0').filter((name) => name !== '' && existsSync(join(root, name))),
    problem: '',
  }
}
