/** Says that something is on its way. */
export function Loading({ label }: { label: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 p-8 text-muted">
      <span
        aria-hidden
        className="size-5 animate-spin rounded-full border-2 border-line-strong border-t-transparent"
      />
      {label}
    </div>
  )
}
