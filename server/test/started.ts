import { join, resolve } from 'node:path'
import { env } from 'node:process'

/**
 * What Node is given to start the program, or a command of it: as it was built where the run is told where that is, else its
 * sources; the same but for the time a start takes.
 */
function started(name: 'main' | 'cli'): string[] {
  const built = env['BUILT_PROGRAM']
  if (built !== undefined) return [join(built, `${name}.js`)]
  return ['--import', 'tsx', resolve(import.meta.dirname, `../src/${name}.ts`)]
}

export const startedProgram: readonly string[] = started('main')
export const startedCommand: readonly string[] = started('cli')
