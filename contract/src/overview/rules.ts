const redFrom = 0.9
const yellowFrom = 0.75

/** The colour of a used share of a limit: red from 90 %, yellow from 75 %, else green (specification 2). */
export function usageTone(share: number): 'bad' | 'warn' | 'good' {
  if (share >= redFrom) return 'bad'
  return share >= yellowFrom ? 'warn' : 'good'
}
