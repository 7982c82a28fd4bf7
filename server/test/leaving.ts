import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Person, TestApp } from './test-app.ts'

/** Until a statement, or so many of them, wait for locks that somebody else holds. */
export async function untilSomebodyWaits(app: TestApp, statements = 1): Promise<void> {
  const waiting = async () => {
    const { rowCount } = await app.owner.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rowCount
  }
  await expect.poll(waiting, { timeout: 30_000, interval: 20 }).toBe(statements)
}

/** Asks for something on a connection of its own, of which nothing is read until the caller does. */
export function openRequest(app: TestApp, { token }: Person, path: string): Socket {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n\r\n`,
  )
  return socket
}

/** Sends something on a connection of its own, whole. */
function sendBody(app: TestApp, { token }: Person, { path, body }: { path: string; body: unknown }): Socket {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const text = JSON.stringify(body)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  )
  return socket
}

/** Asks for something, and breaks the connection off while the request waits for what `lock` holds. */
export async function leaveWhileLocked(
  app: TestApp,
  person: Person,
  { path, lock, body }: { path: string; lock: string; body?: unknown },
): Promise<void> {
  const holder = await app.owner.connect()
  await holder.query('begin')
  await holder.query(lock)
  const socket = body === undefined ? openRequest(app, person, path) : sendBody(app, person, { path, body })
  await untilSomebodyWaits(app)
  socket.resetAndDestroy()
  // Time for the server to notice.
  await sleep(200)
  await holder.query('commit')
  holder.release()
}
