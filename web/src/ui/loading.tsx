const wheel = 'animate-spin rounded-full border-2 border-line-strong border-t-transparent'

/** Says that something is on its way. */
export function Loading({ label }: { label: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 p-8 text-muted">
      <span aria-hidden className={`size-5 ${wheel}`} />
      {label}
    </div>
  )
}

/** As Loading, in a line beside what was loaded before; `isAsked`: somebody has asked for it, and is told also by what reads out. */
export function LoadingAgain({ label, isAsked }: { label: string; isAsked: boolean }) {
  return (
    <span role={isAsked ? 'status' : undefined} className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden className={`size-4 ${wheel}`} />
      {label}
    </span>
  )
}
