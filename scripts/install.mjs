import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { arch, platform, versions } from 'node:process'
import { lastLines, runNpm } from './command.mjs'
import { withLock } from './lock.mjs'
import { root, say, StopError } from './script.mjs'

const wantedLock = join(root, 'package-lock.json')
// npm writes here what it has really installed.
const installedLock = join(root, 'node_modules', '.package-lock.json')
const stampFile = join(root, 'node_modules', '.installed')

/** Installs the packages of package-lock.json, unless they are there already. */
export async function ensureInstalled() {
  checkNode(versions.node)
  if (isStamped()) return
  await withLock('install', async () => {
    if (isStamped()) return
    if (!isInstalledByHand()) await install()
    writeFileSync(stampFile, fingerprint())
  })
}

/**
 * Refuses what vite does not build with.
 * @param {string} version
 */
export function checkNode(version) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  throw new StopError(
    `This program needs Node 20.19, or 22.12 or newer, and this is Node ${version}: install a newer one and try again.`,
  )
}

async function install() {
  say('Installing packages…')
  // A run that is cut off half-way must not look finished.
  rmSync(stampFile, { force: true })
  rmSync(installedLock, { force: true })
  const { code, output, seconds } = await runNpm(['ci', '--include=dev', '--loglevel=error'])
  if (code !== 0) {
    throw new StopError(
      `${lastLines(output, 15)}\nThe packages could not be installed: check that this machine reaches an npm registry (network, proxy, npm's settings), then try again.`,
    )
  }
  say(`Installed packages in ${seconds.toFixed(1)} s.`)
}

function isStamped() {
  return existsSync(installedLock) && readIfThere(stampFile) === fingerprint()
}

function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(wantedLock)).update(readFileSync(installedLock))
  return `${hash.digest('hex')} ${runtime()}`
}

/** What prebuilt binaries depend on. */
function runtime() {
  return `node${versions.node.split('.')[0]}-${platform}-${arch}`
}

/** An `npm install` of one's own is as good as ours if it holds all that the lock file asks for. */
function isInstalledByHand() {
  if (!existsSync(installedLock)) return false
  const stamp = readIfThere(stampFile)
  if (stamp !== '' && !stamp.endsWith(` ${runtime()}`)) return false
  const installed = readPackages(installedLock)
  return Object.entries(readPackages(wantedLock))
    .filter(([path, wanted]) => path.includes('node_modules/') && isNeededHere(wanted))
    .every(([path, wanted]) => path in installed && installed[path].integrity === wanted.integrity)
}

/**
 * @typedef {{ integrity?: string, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 * @param {LockedPackage} wanted
 */
function isNeededHere({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return true
  return Boolean(os?.includes(platform) && cpu?.includes(arch) && (!libc || libc.includes(ownLibc())))
}

function ownLibc() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

/**
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage>}
 */
function readPackages(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
