import { expect, it } from 'vitest'
import { hashPassword, inFairTurn, verifyPassword } from './passwords.ts'

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

it('two are hashed at a time, fifty wait in turn, and who comes then is told to try again', async () => {
  const hashed: number[] = []
  const outcomesOf = (words: number) =>
    Promise.all(
      Array.from({ length: words }, (_, place) =>
        hashPassword(`word ${place}`).then(
          () => void hashed.push(place),
          (error: unknown) => [place, Object(error).code],
        ),
      ),
    )
  expect((await outcomesOf(54)).filter((refused) => refused !== undefined)).toEqual([
    [52, 'unavailable'],
    [53, 'unavailable'],
  ])
  expect(hashed.indexOf(2)).toBeLessThan(hashed.indexOf(51))
  expect((await outcomesOf(4)).filter((refused) => refused !== undefined)).toEqual([])
})

it('of one line of IPv6 eight passwords are looked at, and one network of it leaves the others theirs', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const look = (network: number, nth: number) =>
    inFairTurn({ email: `${network} ${nth}`, address: `2001:db8:1:${network}::/64` }, () => {
      begun.push(String(network))
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const flood = Array.from({ length: 30 }, (_, nth) => look(1, nth))
  const others = Array.from({ length: 9 }, (_, nth) => look(2 + nth, 0))
  await expect.poll(() => begun).toEqual(['1', '1', '2', '3', '4', '5', '6', '7'])
  const all = Promise.all([...flood, ...others])
  const ending = setInterval(() => ends.shift()?.())
  await all
  clearInterval(ending)
})

it('one account has one password looked at, one address of the network two, and others come between', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const look = (email: string, address: string) =>
    inFairTurn({ email, address }, () => {
      begun.push(`${email} ${address}`)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const looks = [
    ...Array.from({ length: 3 }, () => look('ada', 'office')),
    look('sam', 'office'),
    look('nia', 'office'),
    look('bea', 'warehouse'),
  ]
  await expect.poll(() => begun).toEqual(['ada office', 'sam office', 'bea warehouse'])
  ends.shift()?.()
  await expect.poll(() => begun.at(-1)).toBe('nia office')
  const all = Promise.all(looks)
  const ending = setInterval(() => ends.shift()?.())
  await all
  clearInterval(ending)
  expect(begun.filter((of) => of === 'ada office')).toHaveLength(3)
})
