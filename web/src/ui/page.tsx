import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

type PageProps = {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  /** Takes all of the width there is, for screens on a wall. */
  wide?: boolean
  children: ReactNode
}

let headingWanted = false

/** The next screen that appears gets the focus on its heading, so that readers and keyboards start there. */
export function wantHeadingFocus(): void {
  headingWanted = true
}

/** Gives the focus to the heading of the screen, or of the dialog it was in: what had it is gone. */
export function focusHeading(dialog: HTMLDialogElement | null = null): void {
  const heading = dialog?.querySelector('h2') ?? document.querySelector<HTMLElement>('#content h1')
  heading?.focus({ preventScroll: true })
}

/**
 * On a handheld, the content that calls this has the height (`in-data-compact`). Said at the root by those who need it: a
 * `:has()` of the frame has the browser style the whole page anew with each element that comes or goes.
 */
export function useCompactPage(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['compact'] = ''
    return () => {
      delete dataset['compact']
    }
  }, [])
}

/** What the window, and so its tab, is called while this is shown; null: by the product alone. */
export function useWindowTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return undefined
    document.title = `${title} | Inventory Manager`
    return () => {
      document.title = 'Inventory Manager'
    }
  }, [title])
}

/**
 * The frame of a screen: its title, what stands beside it, and the content below. Where it is compact, the title is for
 * readers only, and what stands beside it comes last.
 */
export function Page({ title, subtitle, actions, wide = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useWindowTitle(title)
  useEffect(() => {
    if (!headingWanted) return
    headingWanted = false
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <main
      id="content"
      className={classNames(
        'mx-auto flex w-full flex-col gap-4 px-4 py-4 lg:gap-6 lg:px-6 lg:py-6',
        'max-lg:in-data-compact:gap-3 max-lg:in-data-compact:pt-2',
        !wide && 'max-w-7xl',
      )}
    >
      <div className="flex flex-wrap items-end justify-between gap-3 max-lg:in-data-compact:order-last">
        <div className="min-w-0 max-lg:in-data-compact:sr-only">
          <h1
            ref={heading}
            tabIndex={-1}
            className="text-lg font-semibold text-balance wrap-anywhere lg:text-xl"
          >
            {title}
          </h1>
          {subtitle !== undefined && <p className="mt-1 text-sm wrap-anywhere text-muted">{subtitle}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
      </div>
      {children}
    </main>
  )
}
