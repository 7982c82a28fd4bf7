import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

type LoadFailureProps = { text: string; onRetry: () => Promise<unknown> }

/** What could not be loaded, and the way to ask for it again; what was loaded before stays shown below it. */
export function LoadFailure({ text, onRetry }: LoadFailureProps) {
  return (
    <Banner tone="bad">
      <span className="flex flex-wrap items-center justify-between gap-3">
        {text}
        <Button onClick={() => void onRetry()}>Try again</Button>
      </span>
    </Banner>
  )
}
