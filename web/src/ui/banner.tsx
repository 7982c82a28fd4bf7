import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'info'

const tones: Record<Tone, string> = {
  good: 'bg-good-soft text-good-text border-good/40',
  bad: 'bg-bad-soft text-bad-text border-bad/40',
  warn: 'bg-warn-soft text-warn-text border-warn/40',
  info: 'bg-info-soft text-info-text border-info/40',
}

/** The same in the text of a line. */
export const textTones: Record<Tone, string> = {
  good: 'text-good-text',
  bad: 'text-bad-text',
  warn: 'text-warn-text',
  info: 'text-info-text',
}

/** A message of the screen; read out when it appears, at once where it is bad. */
export function Banner({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames('wrap-anywhere rounded-card border px-4 py-3 text-base lg:text-sm', tones[tone])}
    >
      {children}
    </div>
  )
}
