type Pages = { data: unknown; isPending: boolean; isPlaceholderData: boolean }

/** Whether a list of so many rows still loads, or nothing passes: that nothing passed another filter says nothing of this one. */
export function standingOf({ data, isPending, isPlaceholderData }: Pages, rows: number) {
  return {
    isLoading: isPending || (isPlaceholderData && rows === 0),
    isNone: data !== undefined && !isPlaceholderData && rows === 0,
  }
}
