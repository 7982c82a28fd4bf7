import { useEffect } from 'react'
import { Button, buttonClasses } from './button.tsx'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'
import { Page } from './page.tsx'

type Retry = { retry: () => void }

/** Asks again for what did not arrive, as soon as there is a network. */
function useRetryOnline(retry: () => void): void {
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [retry])
}

/** In place of a screen that did not arrive; what was around it stays. */
export function NotLoaded({ retry }: Retry) {
  useRetryOnline(retry)
  return (
    <Page title="This screen could not be loaded">
      <Card>
        <EmptyState title="Is there a network?">
          <p>The screen is asked for again as soon as there is one. What you scanned is kept.</p>
          <div className="mt-4 flex flex-wrap justify-center gap-2">
            <Button look="primary" onClick={retry}>
              Try again
            </Button>
            <a href={location.pathname} className={buttonClasses('secondary')}>
              Reload the page
            </a>
          </div>
        </EmptyState>
      </Card>
    </Page>
  )
}

/** In place of what a screen can do without. */
export function NothingYet({ retry }: Retry) {
  useRetryOnline(retry)
  return null
}
