/** Where a page begins; undefined for the first one. */
type Cursor = string | undefined

/** How useInfiniteQuery goes through a list each of whose pages says where the next one begins. */
export const byCursor = {
  initialPageParam: undefined as Cursor,
  getNextPageParam: (page: { next_cursor?: string | null | undefined }): Cursor =>
    page.next_cursor ?? undefined,
}
