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

/** The end of a list that comes page by page: the way to the next page, or why that did not come. */
export function ListEnd({ list, failure, more }: PagedListProps & { more: string }) {
  if (!list.hasNextPage) return null
  return (
    <div className="border-t border-line p-3 text-center">
      {failure !== null && list.isFetchNextPageError ? (
        <LoadFailure text={failure} onRetry={list.fetchNextPage} />
      ) : (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {more}
        </Button>
      )}
    </div>
  )
}
