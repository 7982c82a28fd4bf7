import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { LoadFailure } from './load-failure.tsx'

type PagedListProps = {
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
    refetch: () => Promise<unknown>
  }
  /** Why the list or its next page did not come. */
  failure: string | null
}

/** Above a list that comes page by page: that it could not be loaded. Of its next page its end says so. */
export function ListFailure({ list, failure }: PagedListProps) {
  if (failure === null || list.isFetchNextPageError) return null
  return <LoadFailure text={failure} onRetry={list.refetch} />
}

/** What has the focus where the way to the next page was pressed by key and is gone, since that was the last one. */
function LastPage() {
  const said = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) said.current?.focus({ preventScroll: true })
  }, [])
  return (
    <p ref={said} tabIndex={-1} className="border-t border-line p-3 text-center text-sm text-muted">
      That is all.
    </p>
  )
}

/**
 * The end of a list that comes page by page: the way to the next page, which keeps the focus meanwhile, or why that did not come;
 * and once somebody went on to it, that nothing is left.
 */
export function ListEnd({ list, failure, more }: PagedListProps & { more: string }) {
  const [wentOn, setWentOn] = useState(false)
  if (!list.hasNextPage) return wentOn ? <LastPage /> : null
  function goOn(): void {
    if (list.isFetchingNextPage) return
    setWentOn(true)
    list.fetchNextPage().catch(reportError)
  }
  return (
    <div className="border-t border-line p-3 text-center">
      {failure !== null && list.isFetchNextPageError ? (
        <LoadFailure text={failure} onRetry={list.fetchNextPage} />
      ) : (
        <Button aria-disabled={list.isFetchingNextPage} onClick={goOn}>
          {more}
        </Button>
      )}
    </div>
  )
}
