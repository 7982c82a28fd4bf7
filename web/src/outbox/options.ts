import type { News } from './mirror.ts'
import type { SafeStore } from './safe-store.ts'
import type { Job, Refusal } from './store.ts'

/** Whose outbox it is, where it keeps its jobs, how it sends them, and what it shares with other tabs. */
export type OutboxOptions<T, R> = {
  owner: string
  page: string
  store: SafeStore<T>
  send: (job: Job<T>) => Promise<R>
  /** What an answered job adds to the stored entries of its group. */
  storedEntries: (job: Job<T>, reply: R) => number
  /** Jobs of different lanes may be on their way together; one of no lane goes alone. */
  laneOf: (job: Job<T>) => string | null
  /** Whether a person decides on what the server refused; anything else is only told. */
  isKept: (job: Job<T>, refusal: Refusal) => boolean
  takeTurn: <V>(work: () => Promise<V>) => Promise<V>
  /** Tells other tabs; what they tell comes in through `hear`. */
  tell: (news: News<T, R>) => void
  hear: (listener: (news: News<T, R>) => void) => () => void
  isOnline: () => boolean
  /** Whether the server itself answers something else, whatever it says. */
  isServerThere: () => Promise<boolean>
  /** Why a job is not sent again that something on the way refuses each time, while the server is there. */
  blocked: (job: Job<T>) => Refusal
  /** Takes what should never happen. */
  onFault: (error: unknown) => void
}
