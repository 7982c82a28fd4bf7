import type { Request } from '../load.ts'

/** Another program that keeps stock, or the tool one would build such a program with. */
export type Peer = {
  name: string
  /** What npm installs for it, by version. */
  dependencies: Record<string, string>
  overrides?: Record<string, string>
  /** What this machine lacks that npm cannot install, as the end of a sentence; null where it lacks nothing. */
  findLack?: () => string | null
  /** How many times as fast ours should be. */
  goal: { count: number; item: number }
  /** Starts it on an empty database, from the folder it is installed in, and fills it with items. */
  start: (place: { folder: string; databaseUrl: string }) => Promise<RunningPeer>
}

export type RunningPeer = {
  origin: string
  /** Sets the stock of one item. */
  count: () => Request
  /** Other ways to count, where it has some that take another time. */
  otherCounts?: { how: string; next: () => Request; goal: number }[]
  /** One item by its code. */
  item: () => Request
  stop: () => Promise<void>
}

/** Items that a peer is filled with, as many as each of our companies has. */
export const items = 5_000

export const skuOf = (index: number) => `SKU-${String(index).padStart(6, '0')}`

export const anyIndex = () => Math.floor(Math.random() * items)
