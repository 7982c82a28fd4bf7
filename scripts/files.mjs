import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * All files under a folder, in a steady order.
 * @param {string} folder
 * @param {string[]} [skipped] names of folders not to enter
 * @returns {string[]}
 */
export function listFiles(folder, skipped = []) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : listFiles(path, skipped)
      return entry.isFile() ? [path] : []
    })
}
