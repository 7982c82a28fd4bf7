import { Suspense, useEffectEvent, useLayoutEffect, useState, type ReactNode } from 'react'
import { areKeysOfScanner, isGoToKey, KeysDialog } from '../ui/keys.tsx'
import { NotLoadedDialog } from '../ui/not-loaded-dialog.tsx'
import { part } from '../ui/part.tsx'
import { useKeys } from '../ui/use-keys.ts'
import type { screensFor } from './screens.tsx'

const goToDialog = part(async () => (await import('./go-to-dialog.tsx')).GoToDialog, NotLoadedDialog)

/** Calls for Ctrl or Command with K, for which some browsers have a search of their own. */
function useGoToKey(act: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isGoToKey(event) || areKeysOfScanner()) return
    event.preventDefault()
    if (document.querySelector('dialog[open]') === null) act()
  })
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** The keys that every screen has, but where a scanner counts, and what they show: one goes anywhere, one lists them all. */
export function useShellKeys(screens: ReturnType<typeof screensFor>): {
  goAnywhere: () => void
  shown: ReactNode
} {
  const [open, setOpen] = useState<'keys' | 'go to' | null>(null)
  const close = () => setOpen(null)
  const goAnywhere = () => setOpen('go to')
  useKeys({ '?': () => !areKeysOfScanner() && setOpen('keys') })
  useGoToKey(goAnywhere)
  const shown = (
    <>
      {open === 'keys' && <KeysDialog onClose={close} />}
      {open === 'go to' && (
        <Suspense>
          <goToDialog.Content screens={screens} onClose={close} />
        </Suspense>
      )}
    </>
  )
  return { goAnywhere, shown }
}
