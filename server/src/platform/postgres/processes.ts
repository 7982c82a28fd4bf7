import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { errorCode } from '../error-code.ts'

const isLinux = process.platform === 'linux'
const isWindows = process.platform === 'win32'

/** Null when the process is gone, or hidden from this user. */
function lookAtProcess<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return null
    throw error
  }
}

type Stat = { name: string; state: string; startTime: string; cpuTicks: number }

function readStat(pid: number): Stat | null {
  const stat = lookAtProcess(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === null) return null
  // The name in parentheses may itself hold spaces and parentheses; fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const cpuTicks = Number(fields[11]) + Number(fields[12])
  return { name, state: fields[0] ?? '', startTime: fields[19] ?? '', cpuTicks }
}

/** Sends a signal, or with 0 only asks; false when there is no such process. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and below would reach whole groups of processes, our own among them.
  if (pid <= 0) return false
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false
    if (signal === 0 && errorCode(error) === 'EPERM') return true
    throw error
  }
}

/** Whether a process runs. A zombie does not: it only waits to be counted by its parent. */
export function isAlive(pid: number): boolean {
  if (!isLinux) return sendSignal(pid, 0)
  const stat = readStat(pid)
  return stat !== null && !['Z', 'X'].includes(stat.state)
}

/** Tells a process from a later one with the same number (in a container it is always 1). Empty outside Linux. */
export function incarnationOf(pid: number): string {
  if (!isLinux) return ''
  const boot = lookAtProcess(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  return `${boot ?? ''}/${readStat(pid)?.startTime ?? ''}`
}

function servesOnLinux(pid: number, dataDir: string): boolean {
  const stat = readStat(pid)
  if (stat?.name !== 'postgres' || !isAlive(pid)) return false
  const cwd = lookAtProcess(() => readlinkSync(`/proc/${pid}/cwd`))
  if (cwd !== null) return cwd === dataDir
  // Root in a container without CAP_SYS_PTRACE may not see the directory of another user's process.
  const command = lookAtProcess(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.split('\0') ?? []
  return command[command.indexOf('-D') + 1] === dataDir
}

function commandOutput(file: string, args: string[]): string {
  try {
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // ps ends with 1 when it knows no such process; a missing ps must not pass for that.
    if (error instanceof Error && 'status' in error && error.status === 1) return ''
    throw error
  }
}

/** Whether this process is the PostgreSQL server of this directory (which must be a real path), and no zombie. */
export function isPostmasterOf(pid: number, dataDir: string): boolean {
  if (isLinux) return servesOnLinux(pid, dataDir)
  if (!isAlive(pid)) return false
  if (isWindows) return commandOutput('tasklist', ['/FI', `PID eq ${pid}`, '/NH']).startsWith('postgres.exe')
  const description = commandOutput('/bin/ps', ['-o', 'stat=,command=', '-p', String(pid)]).trim()
  return !description.startsWith('Z') && description.includes(`postgres -D ${dataDir} `)
}

/** Server processes at work in this directory, parents and children. Only Linux can tell; elsewhere none. */
export function postgresProcessesIn(dataDir: string): number[] {
  if (!isLinux) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => {
    const cwd = lookAtProcess(() => readlinkSync(`/proc/${pid}/cwd`))
    return cwd === dataDir && readStat(pid)?.name === 'postgres' && isAlive(pid)
  })
}

/** Processor time of the server processes in this directory, in ticks of the system; 0 where it cannot be told. */
export function workOf(dataDir: string): number {
  return postgresProcessesIn(dataDir).reduce((sum, pid) => sum + (readStat(pid)?.cpuTicks ?? 0), 0)
}
