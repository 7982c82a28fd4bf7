import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { env, stdout } from 'node:process'
import type { Peer } from './peer.ts'

const cache = join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'inventory-manager-peers')

/** Installs a peer into a folder of its own, outside the project, once for its versions; gives the folder. */
export async function installPeer({ name, dependencies, overrides = {} }: Peer): Promise<string> {
  const folder = join(cache, name.toLowerCase())
  await mkdir(folder, { recursive: true })
  if (Object.keys(dependencies).length === 0) return folder
  const done = join(folder, '.installed')
  const manifest = JSON.stringify({ private: true, dependencies, overrides }, null, 2)
  if (existsSync(done) && (await readFile(done, 'utf8')) === manifest) return folder
  stdout.write(`Installing ${name} into ${folder}…\n`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), manifest)
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(npm, 'exit')
  if (code !== 0) throw new Error(`${name} could not be installed: npm ended with ${code}.`)
  await writeFile(done, manifest)
  return folder
}
