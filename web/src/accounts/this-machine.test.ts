import { expect, it } from 'vitest'
import { isOfThisMachine } from './this-machine.ts'

it.each([
  'http://127.0.0.1:3000',
  'http://localhost:3000',
  'https://count.localhost',
  'http://[::1]:3000',
  'http://0.0.0.0:3000',
])('a link to %s opens on this machine only', (origin) => {
  expect(isOfThisMachine(origin)).toBe(true)
})

it.each(['http://192.168.1.20:3000', 'https://count.example.com', 'http://localhost.example.com'])(
  'a link to %s opens on other devices, too',
  (origin) => {
    expect(isOfThisMachine(origin)).toBe(false)
  },
)
