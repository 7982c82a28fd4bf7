import { useLayoutEffect, useRef } from 'react'
import { Banner } from './banner.tsx'

/** What went wrong, brought into view: on a handheld, who pressed the button may have scrolled past the place for it. */
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
