import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Children, type ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Fold } from './fold.tsx'

/**
 * What is said above a list, one below the other; on a phone, where the list would begin below the screen, several stand behind a
 * line that says how many.
 */
export function Notes({ about, children }: { about: string; children: ReactNode }) {
  const notes = Children.toArray(children)
  if (notes.length < 2) return notes
  const label = (
    <>
      <TriangleAlert aria-hidden className="size-5 text-warn-text" />
      {formatNumber(notes.length)} notes on {about}
    </>
  )
  return (
    <Fold label={label} isNews>
      {notes}
    </Fold>
  )
}
