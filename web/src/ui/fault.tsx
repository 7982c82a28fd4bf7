import { useLayoutEffect, useRef } from 'react'
import { Banner } from './banner.tsx'

/** An error, scrolled into view: on a handheld the pressed button may be far below it. */
export function Fault({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  return (
    <div ref={place}>
      <Banner tone="bad">{text}</Banner>
    </div>
  )
}
