import { expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

it('a password is kept as an Argon2id hash of the cost that is asked for today', async () => {
  expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('only the right password opens an account, and none opens one that does not exist', async () => {
  const stored = await hashPassword('correct horse')
  expect(await verifyPassword(stored, 'correct horse')).toBe(true)
  expect(await verifyPassword(stored, 'correct house')).toBe(false)
  // What the decoy was made of opens nothing either.
  expect(await verifyPassword(null, 'a password nobody has')).toBe(false)
})

it('two are hashed at a time, fifty wait, and who comes then is told to try again; afterwards all goes on', async () => {
  const refusedOf = async (words: number) => {
    const results = await Promise.allSettled(
      Array.from({ length: words }, (_, place) => hashPassword(`word ${place}`)),
    )
    return results.flatMap(({ status }, place) => (status === 'rejected' ? [place] : []))
  }
  expect(await refusedOf(54)).toEqual([52, 53])
  expect(await refusedOf(4)).toEqual([])
})
