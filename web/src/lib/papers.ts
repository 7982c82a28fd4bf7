export const papers = [
  { value: 'a4', label: 'A4' },
  { value: 'letter', label: 'Letter' },
] as const

export type Paper = (typeof papers)[number]['value']

/** Letter where the browser speaks as people do who use it. */
export function usualPaper(): Paper {
  return /-(US|CA|MX|PH)$/i.test(navigator.language) ? 'letter' : 'a4'
}
