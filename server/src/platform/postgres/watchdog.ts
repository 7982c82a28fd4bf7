import { spawn } from 'node:child_process'

/**
 * Sees to it that a server does not outlive this process, even when that is killed without warning: a shell waits at
 * a pipe from this process, and asks the server for a fast shutdown when the pipe breaks. The answer calls it off.
 * Windows has neither the shell nor the signal; there the next start adopts what is left.
 */
export function startWatchdog(pid: number): () => void {
  if (process.platform === 'win32') return () => undefined
  const script = 'read -r released || kill -INT "$1"'
  const shell = spawn('/bin/sh', ['-c', script, 'inventory-manager-watchdog', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return () => shell.stdin.end('released\n')
}
