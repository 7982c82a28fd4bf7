import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { root, say } from './script.mjs'

// A number can be given to another process later, so an old lock counts for nothing.
const oldestMs = 20 * 60 * 1000

/**
 * Does the work while no other start of this checkout does work of the same name.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const path = join(root, '.cache', `${name}.lock`)
  mkdirSync(dirname(path), { recursive: true })
  let told = false
  while (!takeLock(path)) {
    if (!told) say(`Waiting for another start to finish (${name})…`)
    told = true
    await wait(300)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/** @param {string} path */
function takeLock(path) {
  try {
    writeFileSync(path, String(pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isHeld(path)) rmSync(path, { force: true })
  return false
}

/** @param {string} path */
function isHeld(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > oldestMs) return false
    const holder = Number(readFileSync(path, 'utf8'))
    // Zero: made a moment ago and not yet written.
    return holder === 0 || (holder !== pid && isAlive(holder))
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

/** @param {number} holder */
function isAlive(holder) {
  try {
    process.kill(holder, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
