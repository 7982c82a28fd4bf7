import type { OsUser } from './os-user.ts'

type SpawnOptions = { cwd: string; windowsHide: true; uid?: number; gid?: number; env?: NodeJS.ProcessEnv }

/** How the package's programs are run: as the given user, and on Unix without this program's environment and secrets. */
export function spawnOptions(user: OsUser | null, cwd: string): SpawnOptions {
  return {
    cwd,
    windowsHide: true,
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    ...(process.platform === 'win32' ? {} : { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }),
  }
}
