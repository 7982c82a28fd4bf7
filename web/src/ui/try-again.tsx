import { useState } from 'react'
import { Button } from './button.tsx'

type TryAgainProps = { look?: 'primary'; onRetry: () => Promise<unknown> }

/** Asks again for what did not arrive, once at a time. */
export function TryAgain({ look, onRetry }: TryAgainProps) {
  const [asking, setAsking] = useState(false)

  async function ask(): Promise<void> {
    if (asking) return
    setAsking(true)
    try {
      await onRetry()
    } finally {
      setAsking(false)
    }
  }

  return (
    // Disabled, it would lose the focus.
    <Button look={look ?? 'secondary'} aria-disabled={asking} onClick={() => void ask()}>
      {asking ? 'Trying...' : 'Try again'}
    </Button>
  )
}
