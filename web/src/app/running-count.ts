/** Brings what counts, so that a count that is running is shown with its list. */
export async function bringCount(): Promise<void> {
  const [{ activeCount }] = await Promise.all([
    import('../counting/active-part.tsx'),
    import('../counting/active-count.tsx'),
  ])
  await activeCount.load()
}
