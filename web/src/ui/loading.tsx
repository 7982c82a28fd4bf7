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

/** As Loading, in the shape of the rows that come, which stand where it stood. Seen only where they take a moment. */
export function LoadingRows({ label, rows }: { label: string; rows: number }) {
  const bar = 'h-3 rounded-full bg-sunken'
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div aria-hidden className="animate-appear">
        {[...Array(rows).keys()].map((row) => (
          <div
            key={row}
            className="flex h-16 items-center justify-between gap-4 border-b border-line px-4 last:border-b-0"
          >
            <div className="flex min-w-0 flex-col gap-2">
              <div className={`${bar} w-28`} />
              <div className={`${bar} w-48 max-w-full`} />
            </div>
            <div className={`${bar} w-16 shrink-0`} />
          </div>
        ))}
      </div>
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
