import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId, useState, type ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type MoreFiltersProps = {
  /** How many of them are not as usual. */
  set: number
  children: ReactNode
}

/** The filters of a list beside its search. On a phone they stand behind a button: below each other they would be all that is seen. */
export function MoreFilters({ set, children }: MoreFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        className="justify-between! sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="flex items-center gap-2">
          Filters {set > 0 && <Badge tone="info">{formatNumber(set)} set</Badge>}
        </span>
        <ChevronDown aria-hidden className={classNames('size-5', isOpen && 'rotate-180')} />
      </Button>
      <div id={id} className={classNames('contents', !isOpen && 'max-sm:hidden')}>
        {children}
      </div>
    </>
  )
}
