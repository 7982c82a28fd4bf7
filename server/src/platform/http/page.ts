/** One page of a list that was read one row further than asked, and the key after which the next begins: null at the end. */
export function pageOf<T, K extends keyof T>(
  rows: readonly T[],
  limit: number,
  key: K,
): { page: T[]; next: T[K] | null } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? (page.at(-1)?.[key] ?? null) : null }
}
