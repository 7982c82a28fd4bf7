import { Banner, type Tone } from './banner.tsx'

/** A message that goes by itself, over the foot of the screen: nothing moves for it, and it is in nobody's way. */
export function PassingStatus({ status }: { status: { tone: Tone; text: string } | null }) {
  if (status === null) return null
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-4 z-20 mx-auto max-w-xl rounded-card shadow-lg">
      <Banner tone={status.tone}>{status.text}</Banner>
    </div>
  )
}
