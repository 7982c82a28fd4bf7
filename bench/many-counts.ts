import type { Company } from './companies.ts'
import { countOf } from './requests.ts'

const people = 8

/** So many counts that match, by eight people who never pause; the milliseconds until each was answered. */
export async function countMany(
  origin: string,
  { token, rows }: Pick<Company, 'token' | 'rows'>,
  counts: number,
): Promise<number[]> {
  const times: number[] = []
  let next = 0
  async function person(): Promise<void> {
    while (next < counts) {
      const row = rows[next % rows.length]
      next += 1
      if (row === undefined) throw new Error('There is nothing to count.')
      const { method, path, headers = {}, body } = countOf(token, row)
      const begun = performance.now()
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: people }, person))
  return times
}
