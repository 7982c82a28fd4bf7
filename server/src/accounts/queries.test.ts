import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { claimingEmail } from './queries.ts'

describe('an e-mail address', () => {
  const refused = (code: string) =>
    claimingEmail(() => Promise.reject(Object.assign(new pg.DatabaseError('No.', 0, 'error'), { code })))

  it('that has an account is refused as such', async () => {
    await expect(refused('23505')).rejects.toMatchObject({ code: 'email_taken' })
    expect(await claimingEmail(() => Promise.resolve('taken'))).toBe('taken')
  })

  it('has nothing to do with any other error', async () => {
    await expect(refused('23503')).rejects.toThrow('No.')
  })
})
