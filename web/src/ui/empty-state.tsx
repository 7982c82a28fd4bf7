import type { ReactNode } from 'react'

/** What a list says when it has nothing to show, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-prose text-sm text-muted">{children}</div>}
    </div>
  )
}
