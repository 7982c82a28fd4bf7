import { LoadFailure } from './load-failure.tsx'
import type { AbsentProps } from './not-loaded.tsx'

/** In place of a part of a screen that did not arrive; the screen around it goes on. */
export function NotLoadedPart({ onRetry }: AbsentProps) {
  return (
    <LoadFailure
      text="This part could not be loaded. Check your connection. It is tried again as soon as there is one."
      onRetry={onRetry}
    />
  )
}
