import type { ReactNode } from 'react'
import type { Tone } from './banner.tsx'
import { classNames } from './class-names.ts'

export type BadgeTone = Tone | 'plain'

const tones: Record<BadgeTone, string> = {
  plain: 'bg-sunken text-muted',
  good: 'bg-good-soft text-good-text',
  bad: 'bg-bad-soft text-bad-text',
  warn: 'bg-warn-soft text-warn-text',
  info: 'bg-info-soft text-info-text',
}

export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
