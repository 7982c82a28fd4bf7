import { queryClient } from './query-client.ts'

/** Loads anew what is shown of some calls, named by their paths. */
export async function readAnew(...paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })))
}

/**
 * Does some work, and then loads anew what it shows in. What is done waits for that, since it can be pressed until it is gone from its
 * list. What failed is told meanwhile: without a network a list takes seconds. It is loaded all the same, for the answer may have been
 * lost, or somebody else may have changed something. Throws what the work throws.
 */
export async function readAnewAfter<R>(work: () => Promise<R>, reading: () => Promise<void>): Promise<R> {
  const done = await work().catch((error: unknown) => {
    reading().catch(reportError)
    throw error
  })
  await reading()
  return done
}
