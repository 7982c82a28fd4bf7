import { makeCompany, makeStaff, type Person, type TestApp } from './test-app.ts'

export type People = { admin: Person; staff: Person }

/** A company with components that its administrator has imported, and one of its staff. */
export async function makeCompanyWithStock(
  app: TestApp,
  rows: readonly object[],
  company?: Parameters<typeof makeCompany>[1],
): Promise<People> {
  const admin = await makeCompany(app, company)
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  return { admin, staff: await makeStaff(app, admin) }
}
