import { Banner } from './banner.tsx'
import { TryAgain } from './try-again.tsx'

type LoadFailureProps = { text: string; onRetry: () => Promise<unknown> }

/** What could not be loaded, and the way to ask for it again; what was loaded before stays shown below it. */
export function LoadFailure({ text, onRetry }: LoadFailureProps) {
  return (
    <Banner tone="bad">
      <span className="flex flex-wrap items-center justify-between gap-3">
        {text}
        <TryAgain onRetry={onRetry} />
      </span>
    </Banner>
  )
}
