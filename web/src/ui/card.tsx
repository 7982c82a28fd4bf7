import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type CardProps = { title?: string; aside?: ReactNode; flush?: boolean; children: ReactNode }

/** A surface with an optional title; `flush` lets a list run to its edges. */
export function Card({ title, aside, flush = false, children }: CardProps) {
  return (
    <section className="min-w-0 rounded-card border border-line bg-surface">
      {title !== undefined && (
        <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-3">
          <h2 className="font-semibold wrap-anywhere">{title}</h2>
          {aside}
        </header>
      )}
      <div className={classNames(!flush && 'p-4')}>{children}</div>
    </section>
  )
}
