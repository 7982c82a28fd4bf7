import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { env, execPath, platform } from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { root } from './script.mjs'

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to this process's own
 * @property {number} [timeoutSeconds]
 *
 * @typedef {object} CommandResult
 * @property {number} code
 * @property {string} output what it printed, both streams as they came, without colours
 * @property {number} seconds
 */

const onWindows = platform === 'win32'
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const graceMs = 8000

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let endedBy = ''

/**
 * Starts a command in a process group of its own, so that ending it also ends what it started.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 */
export function startCommand(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !onWindows,
    shell: onWindows && command.endsWith('.cmd'),
  })
  remember(child)
  return child
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, options = {}) {
  const started = performance.now()
  const child = startCommand(command, args, options)
  let output = ''
  const keep = (/** @type {string} */ text) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const timeout = options.timeoutSeconds && setTimeout(endCommand, options.timeoutSeconds * 1000, child)

  return new Promise((resolve) => {
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timeout)
      const seconds = (performance.now() - started) / 1000
      resolve({ code, output: stripVTControlCharacters(output), seconds })
    }
    child.on('error', (error) => {
      keep(`${command} did not start: ${error.message}\n`)
      finish(127)
    })
    child.on('close', (code) => finish(code ?? 1))
  })
}

/**
 * Asks the command to end, and makes it after a few seconds.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} [signal]
 */
export function endCommand(child, signal = 'SIGTERM') {
  signalGroup(child, signal)
  setTimeout(() => running.has(child) && signalGroup(child, 'SIGKILL'), graceMs).unref()
}

/**
 * Runs the command line of an installed package with this Node.
 * @param {string} tool 'package', or 'package#bin' where the two names differ
 * @param {string[]} args
 * @param {CommandOptions} [options]
 */
export function runTool(tool, args, options) {
  return runCommand(execPath, [toolPath(tool), ...args], options)
}

/**
 * Runs a program with this Node for whoever sits here: it prints where this process does, which ends with its code.
 * @param {string[]} args
 * @param {Record<string, string>} [added] to this process's environment
 */
export async function runVisibly(args, added) {
  const child = spawn(execPath, args, { cwd: root, env: { ...env, ...added }, stdio: 'inherit' })
  process.exitCode = await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

/** @param {string} tool */
export function toolPath(tool) {
  const [packageName, binName = packageName] = tool.split('#')
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[binName])
}

/**
 * @param {string[]} args
 * @param {CommandOptions} [options]
 */
export function runNpm(args, options) {
  const npmScript = env.npm_execpath ?? ''
  if (npmScript.endsWith('npm-cli.js')) return runCommand(execPath, [npmScript, ...args], options)
  return runCommand(onWindows ? 'npm.cmd' : 'npm', args, options)
}

/**
 * @param {string} output
 * @param {number} count
 */
export function lastLines(output, count) {
  return output.trimEnd().split('\n').slice(-count).join('\n')
}

/** @param {import('node:child_process').ChildProcess} child */
function remember(child) {
  if (running.size === 0) for (const signal of endingSignals) process.on(signal, endAll)
  running.add(child)
  child.on('error', () => forget(child))
  child.on('close', () => forget(child))
}

/** @param {import('node:child_process').ChildProcess} child */
function forget(child) {
  running.delete(child)
  if (running.size > 0) return
  for (const signal of endingSignals) process.off(signal, endAll)
  if (endedBy) process.exit(128 + constants.signals[endedBy])
}

/** @param {NodeJS.Signals} signal */
function endAll(signal) {
  const again = endedBy !== ''
  endedBy = signal
  for (const child of running) endCommand(child, again ? 'SIGKILL' : signal)
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return
  if (onWindows) {
    child.kill(signal)
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
