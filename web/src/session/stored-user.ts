import { signedInUser, type SignedInUser } from '@inventory-manager/contract/accounts/endpoints'

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const { seated, locationNames } = signedInUser.shape

/**
 * The user as browsers have stored it, under every name it was ever stored by (specification 3, 'The stored user').
 * Null for what is no user. A user without a company is one: counting then says what to do.
 */
export function readStoredUser(stored: unknown): SignedInUser | null {
  if (!isMap(stored)) return null
  const tenant = isMap(stored['tenant']) ? { tenantOfRecord: stored['tenant']['id'] } : {}
  const fields: Record<string, unknown> = { ...stored, ...tenant }
  const first = (names: string[], otherwise?: unknown) =>
    names.map((name) => fields[name]).find((value) => value !== undefined) ?? otherwise
  const email = first(['email'])
  const read = signedInUser.safeParse({
    id: first(['id', 'user_id', 'userId']),
    tenantId: first(['tenantId', 'tenant_id', 'tenantOfRecord', 'companyId'], ''),
    companyName: first(['companyName', 'company_name'], ''),
    role: first(['role', 'userType']) === 'admin' ? 'admin' : 'user',
    email,
    name: first(['name', 'displayName'], email),
    plan: first(['plan'], 'starter'),
    seated: seated.safeParse(fields['seated']).data,
    // Whoever cannot read the names is signed in all the same.
    locationNames: locationNames.safeParse(fields['locationNames']).data,
  })
  return read.success ? read.data : null
}
