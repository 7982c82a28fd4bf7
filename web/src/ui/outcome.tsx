import { useLayoutEffect, useRef } from 'react'
import { Banner, type Tone } from './banner.tsx'

/** What came of something that was pressed, scrolled into view: on a handheld the button may be far below it. */
export function Outcome({ tone, text }: { tone: Tone; text: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  return (
    <div ref={place}>
      <Banner tone={tone}>{text}</Banner>
    </div>
  )
}
