import ChevronDown from 'lucide-react/icons/chevron-down'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

type MenuProps = {
  label: string
  /** Whether what is shown now stands in this menu. */
  current: boolean
  children: (close: () => void) => ReactNode
}

/** A button that opens a panel of links below it; Escape, a click elsewhere or leaving it closes. */
export function Menu({ label, current, children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const panelId = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const leave = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) setOpen(false)
    }
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // It is for this menu, not for what the screen below has it for.
      event.preventDefault()
      setOpen(false)
      button.current?.focus()
    }
    const closed = new AbortController()
    const { signal } = closed
    document.addEventListener('pointerdown', leave, { signal })
    document.addEventListener('focusin', leave, { signal })
    document.addEventListener('keydown', escape, { signal, capture: true })
    return () => closed.abort()
  }, [open])
  return (
    <div ref={root} className="relative">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
        className={classNames(
          'nav-link h-9 gap-1 text-sm',
          current ? 'bg-accent-soft text-accent-text' : 'text-muted hover:bg-sunken hover:text-text',
        )}
      >
        {label}
        <ChevronDown aria-hidden className="size-4" />
      </button>
      <div
        id={panelId}
        hidden={!open}
        className="absolute top-full right-0 z-20 mt-1 min-w-52 rounded-card border border-line bg-surface p-1 shadow-raised"
      >
        {children(() => setOpen(false))}
      </div>
    </div>
  )
}
