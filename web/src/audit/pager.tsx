import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'

type PagerProps = { page: number; pages: number; onPage: (page: number) => void }

/** The way to other pages of the trail, and which one is shown. */
export function Pager({ page, pages, onPage }: PagerProps) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 border-t border-line p-3">
      <Button rests={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span role="status" className="text-center text-sm tabular-nums">
        Page {formatNumber(page)} of {formatNumber(pages)}
      </span>
      <Button rests={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
