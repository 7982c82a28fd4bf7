import type { ReactNode } from 'react'

/** What a list says when it has nothing to show, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <p className="max-w-full font-medium wrap-anywhere">{title}</p>
      {children !== undefined && (
        <div className="max-w-full text-sm wrap-anywhere text-muted sm:max-w-prose">{children}</div>
      )}
    </div>
  )
}
