import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What a screen may load before it shows: kilobytes (1,000 bytes) of JavaScript after gzip. */
const budgets = [
  { screen: '/login', modules: ['boot', 'frame'], kilobytes: 115 },
  {
    screen: '/monthly-count',
    modules: ['boot', 'frame', 'signed-in', 'src/counting/monthly-count-screen.tsx'],
    kilobytes: 151,
  },
]

/** @typedef {Record<string, { file: string, name?: string, imports?: string[] } | undefined>} Parts */

/**
 * The files a module, or the part of a name, needs at once: its own and those it imports statically.
 * @param {Parts} parts
 * @param {string} module
 * @param {Set<string>} files
 */
function collect(parts, module, files) {
  const part = parts[module] ?? Object.values(parts).find((one) => one?.name === module)
  if (part === undefined) throw new Error(`The build has no part ${module}.`)
  if (files.has(part.file)) return
  files.add(part.file)
  for (const imported of part.imports ?? []) collect(parts, imported, files)
}

/**
 * Weighs what the first screens load from a finished build of the web application.
 * @param {string} dist
 * @returns {string[]} a line for each screen that is past its budget
 */
export function weigh(dist) {
  /** @type {Parts} */
  const parts = JSON.parse(readFileSync(join(dist, 'parts.json'), 'utf8'))
  return budgets.flatMap(({ screen, modules, kilobytes }) => {
    /** @type {Set<string>} */
    const files = new Set()
    for (const module of modules) collect(parts, module, files)
    const scripts = [...files].filter((file) => file.endsWith('.js'))
    const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
    const weight = bytes / 1000
    if (weight <= kilobytes) return []
    return [
      `${screen} loads ${weight.toFixed(1)} kB of JavaScript (gzip), more than its ${kilobytes} kB: load what it does not need at once when it is opened.`,
    ]
  })
}
