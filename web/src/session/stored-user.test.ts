import { describe, expect, it } from 'vitest'
import { readStoredUser } from './stored-user.ts'

const sam = {
  id: 'u-1',
  tenantId: 't-1',
  companyName: 'Nordlager AG',
  role: 'user',
  email: 'sam@nordlager.example',
  name: 'Sam',
  plan: 'professional',
}

describe('a stored user', () => {
  it('is read as it was stored', () => {
    expect(readStoredUser(sam)).toEqual(sam)
  })

  it('is read by the other names of its fields', () => {
    const { plan, email } = sam
    const other = { user_id: 'u-1', tenant: { id: 't-1' }, company_name: 'Nordlager AG', displayName: 'Sam' }
    expect(readStoredUser({ ...other, userType: 'user', plan, email })).toEqual(sam)
    expect(readStoredUser({ ...other, tenant: null, companyId: 't-1', plan, email })).toEqual(sam)
  })

  it('has its e-mail for a name, the role of a user and the starter plan where nothing says otherwise', () => {
    expect(readStoredUser({ userId: 'u-1', email: 'sam@nordlager.example' })).toMatchObject({
      name: 'sam@nordlager.example',
      role: 'user',
      plan: 'starter',
      tenantId: '',
    })
  })

  it('with whether the plan has a seat for them', () => {
    expect(readStoredUser({ ...sam, seated: false })).toEqual({ ...sam, seated: false })
    expect(readStoredUser({ ...sam, seated: 'no' })).toEqual(sam)
  })

  it('has the names that the company gave its locations, and is one also where they cannot be read', () => {
    const locationNames = { PRIMARY: 'Hamburg' }
    expect(readStoredUser({ ...sam, locationNames })).toEqual({ ...sam, locationNames })
    expect(readStoredUser({ ...sam, locationNames: { PRIMARY: 7 } })).toEqual(sam)
  })

  it('is none without an id, and in anything that is no user', () => {
    expect(readStoredUser({ email: 'sam@nordlager.example' })).toBeNull()
    expect(readStoredUser(null)).toBeNull()
    expect(readStoredUser(['sam'])).toBeNull()
    expect(readStoredUser('sam')).toBeNull()
  })
})
