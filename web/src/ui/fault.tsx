import { Outcome } from './outcome.tsx'

/** An error, scrolled into view. */
export function Fault({ text }: { text: string }) {
  return <Outcome tone="bad" text={text} />
}
