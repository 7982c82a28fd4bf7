import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeLook = 'plain' | 'good' | 'bad' | 'warn' | 'info'

const looks: Record<BadgeLook, string> = {
  plain: 'bg-sunken text-muted',
  good: 'bg-good-soft text-good-text',
  bad: 'bg-bad-soft text-bad-text',
  warn: 'bg-warn-soft text-warn-text',
  info: 'bg-info-soft text-info-text',
}

export function Badge({ look = 'plain', children }: { look?: BadgeLook; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        looks[look],
      )}
    >
      {children}
    </span>
  )
}
