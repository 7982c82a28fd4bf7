import { parseArgs } from 'node:util'
import { readConfig } from '../platform/config.ts'
import { openDatabase, type Say } from '../start.ts'

/** Where the program's own files are: the same for the sources and for the build. */
export type Installation = { migrations: string; assets: string; version: string; say: Say }

/** What `npm run <name> -- <options>` does. */
export type Command = { usage: string; run: (args: string[], installation: Installation) => Promise<void> }

/** What the command line says is wrong with a call; shown with the usage. */
export class UsageError extends Error {}

/** Why a command does not do what it was asked: one sentence, shown as it is. */
export class CommandError extends Error {}

/** So many of a thing, in words. */
export function amount(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

export const companies = (count: number): string => amount(count, 'company', 'companies')

/** For commands that take none: throws where any is given. */
export function requireNoArguments(args: string[]): void {
  parseArgs({ args })
}

/** Does something with the database of this installation, which is brought up to date first. */
export async function withDatabase<T>(
  { migrations, say }: Installation,
  work: (opened: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase(readConfig(), { migrations, say, as: 'command' })
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
