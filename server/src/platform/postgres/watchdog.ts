import { spawn } from 'node:child_process'

// The number may meanwhile be another program's; without /proc (macOS) the name stays unknown and is taken on trust.
const script =
  'read -r released || { read -r name < "/proc/$1/comm"; [ "${name:-postgres}" = postgres ] && kill -INT "$1"; }'

/**
 * Sees to it that a server does not outlive this process, even when that is killed without warning: a shell waits at
 * a pipe from this process, and asks the server for a fast shutdown when the pipe breaks. The answer calls it off.
 * Windows has neither the shell nor the signal; there the next start adopts what is left.
 */
export function startWatchdog(pid: number, log: (line: string) => void): () => void {
  if (process.platform === 'win32') return () => undefined
  const shell = spawn('/bin/sh', ['-c', script, 'inventory-manager-watchdog', String(pid)], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const report = (error: Error) =>
    log(`PostgreSQL may outlive a kill of this program (${error.message}); the next start adopts it.`)
  shell.on('error', report)
  shell.stdin.on('error', report)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return () => shell.stdin.end('released\n')
}
