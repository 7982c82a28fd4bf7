import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTokens, sessionHours } from './tokens.ts'

const secret = 'a secret only the tests know, long enough'
const tokens = createTokens(secret)
const claims = { tenantId: randomUUID(), userId: randomUUID(), sessionId: randomUUID() }

const good: JWTPayload = {
  iss: 'inventory-manager',
  aud: 'inventory-manager',
  sub: claims.userId,
  tid: claims.tenantId,
  sid: claims.sessionId,
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 3600,
}

function sign(
  change: Record<string, unknown>,
  header: JWTHeaderParameters = { alg: 'HS256', typ: 'at+jwt' },
  key = secret,
) {
  return new SignJWT({ ...good, ...change }).setProtectedHeader(header).sign(new TextEncoder().encode(key))
}

/** Changes the signature's first letter; the last one has bits that mean nothing. */
function flip(token: string): string {
  const start = token.lastIndexOf('.') + 1
  return token.slice(0, start) + (token[start] === 'A' ? 'B' : 'A') + token.slice(start + 1)
}

/** Signed with a key of somebody else's, which the header asks to believe. */
const signForeign = (header: Partial<JWTHeaderParameters>) =>
  sign({}, { alg: 'HS256', typ: 'at+jwt', ...header }, 'a key that somebody brought along')

const unsigned = [{ alg: 'none', typ: 'at+jwt' }, good]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

describe('a token', () => {
  it('of our own opens the session it names', async () => {
    const token = await tokens.sign(claims, new Date(Date.now() + 60_000))
    expect(await tokens.verify(`Bearer ${token}`)).toEqual(claims)
    expect(await tokens.verify(`bearer ${await sign({})}`)).toEqual(claims)
  })

  it.each([
    ['without a signature', () => Promise.resolve(`${unsigned}.`)],
    ['that expired', () => sign({ exp: Math.floor(Date.now() / 1000) - 1 })],
    ['that never expires', () => sign({ exp: undefined })],
    ['that begins later', () => sign({ nbf: Math.floor(Date.now() / 1000) + 600 })],
    ['of another issuer', () => sign({ iss: 'somebody-else' })],
    ['for another audience', () => sign({ aud: 'another-product' })],
    ['of another type', () => sign({}, { alg: 'HS256', typ: 'JWT' })],
    ['of another algorithm', () => sign({}, { alg: 'HS512', typ: 'at+jwt' })],
    [
      'signed with another secret',
      () => sign({}, { alg: 'HS256', typ: 'at+jwt' }, 'another secret, just as long as ours is'),
    ],
    ['that brings a key along', () => signForeign({ jwk: { kty: 'oct' } })],
    ['that says where keys are', () => signForeign({ jku: 'https://keys.example.com/keys.json' })],
    ['that says where certificates are', () => signForeign({ x5u: 'https://keys.example.com/x.pem' })],
    ['that names a file as its key', () => signForeign({ kid: '../../dev/null' })],
    ['whose company is no id', () => sign({ tid: "' or 1=1" })],
    ['without a session', () => sign({ sid: undefined })],
    ['with a letter of its signature changed', async () => flip(await sign({}))],
  ])('%s opens nothing', async (_name, make) => {
    const token = await make()
    await expect(tokens.verify(`Bearer ${token}`)).rejects.toThrow('Unauthorized: please log in again.')
  })
  it.each([
    ['nothing', undefined],
    ['no scheme', 'x.y.z'],
    ['another scheme', 'Basic YTpi'],
    ['a scheme that only ends alike', 'NotBearer '],
    ['a scheme alone', 'Bearer '],
  ])('is not read from a header with %s', async (_name, header) => {
    await expect(tokens.verify(header)).rejects.toThrow('Unauthorized: please log in again.')
  })

  it('is not read from between other words', async () => {
    const token = await sign({})
    for (const header of [`x Bearer ${token}`, `Bearer ${token} x`, `Bearer  ${token}`]) {
      await expect(tokens.verify(header)).rejects.toThrow('Unauthorized: please log in again.')
    }
  })

  it('says whose it is, since when and until when, and nothing else', async () => {
    const until = new Date('2100-01-01T00:00:00Z')
    const token = await tokens.sign(claims, until)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'at+jwt' })
    expect(decodeJwt(token)).toEqual({
      iss: 'inventory-manager',
      aud: 'inventory-manager',
      sub: claims.userId,
      tid: claims.tenantId,
      sid: claims.sessionId,
      iat: expect.closeTo(Date.now() / 1000, -1),
      exp: until.getTime() / 1000,
    })
  })

  it('is not to blame where the installation has no secret', async () => {
    const header = `Bearer ${await sign({})}`
    await expect(createTokens('').verify(header)).rejects.toThrow('Zero-length key is not supported')
  })

  it('lasts for one shift', () => {
    expect(sessionHours).toBe(12)
  })
})

describe('a token that was checked before', () => {
  afterEach(() => void vi.useRealTimers())

  it('is not checked again, and opens nothing any more when its time is over', async () => {
    vi.useFakeTimers()
    const header = `Bearer ${await tokens.sign(claims, new Date(Date.now() + 60_000))}`
    const first = await tokens.verify(header)
    expect(first).toEqual(claims)
    vi.advanceTimersByTime(58_000)
    expect(await tokens.verify(header)).toBe(first)
    vi.advanceTimersByTime(2_001)
    await expect(tokens.verify(header)).rejects.toThrow('Unauthorized: please log in again.')
  })
})
