import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type FoldProps = {
  label: ReactNode
  /** Is read out when it appears: what stands behind it is news, which says nothing by itself while it is hidden. */
  isNews?: boolean
  children: ReactNode
}

/** What stands behind a button on a phone, where it would push away what is looked at more often, and in its place elsewhere. */
export function Fold({ label, isNews = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <div role={isNews ? 'status' : undefined} className="grid sm:hidden">
        <Button
          className="justify-between!"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="flex items-center gap-2">{label}</span>
          <ChevronDown aria-hidden className={classNames('size-5', isOpen && 'rotate-180')} />
        </Button>
      </div>
      <div id={id} className={classNames('contents', !isOpen && 'max-sm:hidden')}>
        {children}
      </div>
    </>
  )
}
