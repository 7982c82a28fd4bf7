import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const item = (barcode: string) => ({ id: barcode, barcode, description: 'Bolt', quantity: 3 })

function print(person: Person, part: Record<string, unknown> = {}, key?: string) {
  return app.ask({
    path: '/api/generate-labels',
    token: person.token,
    ...(key === undefined ? {} : { key }),
    body: {
      components: [item('A-1')],
      includeId: true,
      labelSize: { width: 4, height: 1.5 },
      location: 'PRIMARY',
      ...part,
    },
  })
}

async function labelsUsed(person: Person): Promise<number> {
  const { rows } = await app.owner.query<{ used: number }>(
    'select coalesce(sum(used), 0)::integer as used from label_usage where tenant_id = $1',
    [person.tenantId],
  )
  return rows[0]?.used ?? -1
}

describe('a label job', () => {
  it('answers with a PDF under the specified name', async () => {
    const admin = await makeCompany(app)
    const { status, headers, bytes } = await print(admin, { components: [item('A-1'), item('A-2')] })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    const today = new Date().toISOString().slice(0, 10)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="labels_PRIMARY_${today}.pdf"`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(bytes.subarray(-6).toString()).toContain('%%EOF')
  })

  it('for chosen components is named so', async () => {
    const admin = await makeCompany(app)
    const { headers } = await print(admin, { selected: true })
    expect(headers.get('content-disposition')).toContain('selected_labels_PRIMARY_')
  })

  it('uses one label for each line, times the copies, and is recorded', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    await print(staff, { components: [item('A-1'), item('A-2')], copies: 3 })
    expect(await labelsUsed(admin)).toBe(6)
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?action=Label',
      token: admin.token,
    })
    expect(body).toMatchObject({
      total: 1,
      entries: [{ kind: 'label_generation', sku: 'LABEL_GENERATED', quantity: 6, user_name: 'Sam Staff' }],
    })
  })

  it('sent twice with the same key is charged once and answers with the labels again', async () => {
    const admin = await makeCompany(app)
    const replies = await Promise.all([1, 2, 3].map(() => print(admin, {}, 'job-1')))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await labelsUsed(admin)).toBe(1)
    const other = await print(admin, { components: [item('B-1')] }, 'job-1')
    expect([other.status, other.body]).toMatchObject([422, { code: 'key_reused' }])
  })
})

describe('the labels of a plan', () => {
  it('are never passed, also when many jobs ask for the last ones at once', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const job = Array.from({ length: 60 }, (_, index) => item(`A-${index}`))
    const replies = await Promise.all(Array.from({ length: 12 }, () => print(admin, { components: job })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(8)
    expect(await labelsUsed(admin)).toBe(480)
    const refused = replies.find(({ status }) => status === 402)
    expect(refused?.body).toMatchObject({ code: 'label_limit' })
    expect(refused?.body).toMatchObject({
      error: expect.stringMatching(
        /^The Starter plan includes 500 labels a month\. 480 are used and these would be 60 more\. The count starts again on \d{4}-\d\d-01\.$/,
      ),
    })
  })
})

describe('a label job is refused whole, and nothing is charged', () => {
  it.each([
    [{ components: [] }, 400, 'Give at least one component.'],
    [{ labelSize: { width: 5, height: 5 } }, 400, 'Label sizes are 4 x 1.5, 3 x 1 and 2 x 1 inches.'],
    [{ components: [item('A-1'), item('x'.repeat(32))] }, 400, 'Some labels cannot be printed.'],
    [{ components: [item('Größe')] }, 400, 'Some labels cannot be printed.'],
    [{ components: [item('A')], copies: 101 }, 400, 'copies must be at most 100.'],
  ])('with %j', async (part, expected, sentence) => {
    const admin = await makeCompany(app)
    const { status, body } = await print(admin, part)
    expect([status, body]).toMatchObject([expected, { error: sentence }])
    expect(await labelsUsed(admin)).toBe(0)
  })

  it('with each offender named', async () => {
    const admin = await makeCompany(app)
    const { body } = await print(admin, { components: [item('A-1'), item('x'.repeat(32)), item('Größe')] })
    expect(body).toMatchObject({
      details: [{ path: 'components.1.barcode' }, { path: 'components.2.barcode' }],
    })
  })
})
