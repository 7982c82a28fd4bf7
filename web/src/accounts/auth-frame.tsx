import BarChart3 from 'lucide-react/icons/bar-chart-3'
import Barcode from 'lucide-react/icons/barcode'
import MapPin from 'lucide-react/icons/map-pin'
import Radio from 'lucide-react/icons/radio'
import { useEffect, useRef, type ReactNode } from 'react'
import { useWindowTitle } from '../ui/page.tsx'

const features = [
  { icon: Radio, text: 'Real-time inventory tracking' },
  { icon: Barcode, text: 'Barcode generation and printing' },
  { icon: MapPin, text: 'Multi-location support' },
  { icon: BarChart3, text: 'Advanced analytics and reporting' },
]

let isAnyBefore = false

/** Another screen has been shown in this page: the next signed-out one takes the focus that is gone with it. */
export function noteScreenBefore(): void {
  isAnyBefore = true
}

type AuthFrameProps = {
  title: string
  /** The first of all screens, whose window is called as the product. */
  isFront?: true
  children: ReactNode
}

/** The frame of the signed-out screens: the form first, what the product does beside or below it. */
export function AuthFrame({ title, isFront, children }: AuthFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useWindowTitle(isFront === true ? null : title)
  useEffect(() => {
    if (isAnyBefore && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
    noteScreenBefore()
  }, [title])
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-5xl items-center gap-8 p-4 lg:grid-cols-2 lg:gap-16 lg:p-8">
      <main className="mx-auto w-full max-w-md rounded-card border border-line bg-surface p-5 lg:order-2 lg:p-8">
        <p className="mb-1 text-sm text-muted lg:hidden">Inventory Manager</p>
        <h1 ref={heading} tabIndex={-1} className="mb-5 text-lg font-semibold">
          {title}
        </h1>
        {children}
      </main>
      <aside className="mx-auto w-full max-w-md lg:mx-0">
        <p className="text-xl font-semibold">Inventory Manager</p>
        <p className="mt-1 text-muted">Professional Inventory Management</p>
        <ul className="mt-6 flex flex-col gap-3">
          {features.map(({ icon: Icon, text }) => (
            <li key={text} className="flex items-center gap-3">
              <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
              {text}
            </li>
          ))}
        </ul>
      </aside>
    </div>
  )
}
