import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'

/** The path of a program: from the first of these folders that has it, or else of those in PATH; null without one. */
export function findProgram(name: string, folders: readonly string[]): string | null {
  const inPath = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...folders, ...inPath].map((folder) => join(folder, name)).find(existsSync) ?? null
}
