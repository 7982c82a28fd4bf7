import { Suspense, type ReactNode } from 'react'
import { Sheet } from '../ui/dialog.tsx'
import { InSheet } from './in-sheet.ts'
import type { LeftOptions } from './left-to-count.ts'
import { absentDialog, finishDialog, noteDialog } from './parts.ts'

export type AskedProps = {
  asked: 'absent' | 'finish' | 'note' | 'list' | null
  count: LeftOptions
  onConfirm: (barcodes: readonly string[]) => void
  onFinish: () => void
  stands: (id: string) => boolean
  listTitle: string
  /** Another one shows the list in a sheet of its own: the one before is being closed. */
  listKey: number | undefined
  list: ReactNode
  onClose: () => void
}

/**
 * What can be done beside scanning: the absence of what is left confirmed, the count put down, something said of a scan, the list
 * looked at.
 */
export function AskedDialog({ asked, count, onConfirm, onFinish, stands, onClose, ...sheet }: AskedProps) {
  return (
    <Suspense>
      {asked === 'list' && sheet.list !== false && (
        <Sheet key={sheet.listKey} title={sheet.listTitle} onClose={onClose}>
          <InSheet value>{sheet.list}</InSheet>
        </Sheet>
      )}
      {asked === 'absent' && <absentDialog.Content {...count} onConfirm={onConfirm} onClose={onClose} />}
      {asked === 'note' && <noteDialog.Content session={count.scope.session} {...{ stands, onClose }} />}
      {asked === 'finish' && <finishDialog.Content {...count} onFinish={onFinish} onClose={onClose} />}
    </Suspense>
  )
}
