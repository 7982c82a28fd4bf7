import { useLayoutEffect } from 'react'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'
import { Page, wantHeadingFocus } from './page.tsx'
import { TryAgain } from './try-again.tsx'

export type AbsentProps = { onRetry: () => Promise<unknown> }

/** In place of a screen that did not arrive; what was around it stays. */
export function NotLoaded({ onRetry }: AbsentProps) {
  // Of the screen that takes its place.
  useLayoutEffect(() => wantHeadingFocus, [])

  return (
    <Page title="This screen could not be loaded">
      <Card>
        <EmptyState title="Check your connection">
          <p>The screen is loaded again as soon as there is one. What you scanned is kept.</p>
          <div className="mt-4 flex flex-wrap justify-center gap-2">
            <TryAgain look="primary" onRetry={onRetry} />
            {/* With all of its address: the secret of a one-time link stands at its end. */}
            <Button onClick={() => location.reload()}>Reload the page</Button>
          </div>
        </EmptyState>
      </Card>
    </Page>
  )
}
