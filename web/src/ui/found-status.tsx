import { formatNumber } from '../lib/numbers.ts'

/**
 * Says to whoever hears the screen how much a search or a filter has found; null while it looks, and where nothing is sought.
 */
export function FoundStatus({ found, hasMore = false }: { found: number | null; hasMore?: boolean }) {
  return (
    <p role="status" className="sr-only">
      {found !== null && `${formatNumber(found)}${hasMore ? ' or more' : ''} found`}
    </p>
  )
}
