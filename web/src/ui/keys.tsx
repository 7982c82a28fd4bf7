import { useLayoutEffect } from 'react'
import { Dialog } from './dialog.tsx'

export type KeyWords = readonly (readonly [key: string, words: string])[]

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The key that goes to any screen, as it is written on keyboards. */
export const nameGoToKey = () => (isApple() ? '⌘ K' : 'Ctrl K')

/** Whether it is that key; Apple's own fields have another use for K with Control. */
export function isGoToKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

/** The keys of what is shown now. */
const shown = new Set<KeyWords>()

/** Has the keys of a part of the screen listed for as long as it is shown; `words` stay the same meanwhile. */
export function useKeyWords(words: KeyWords): void {
  useLayoutEffect(() => {
    shown.add(words)
    return () => {
      shown.delete(words)
    }
  }, [words])
}

let scanners = 0

/** For as long as what calls this is shown, the keys are those of a scanner that counts, whatever they are. */
export function useScannersKeys(): void {
  useLayoutEffect(() => {
    scanners += 1
    return () => {
      scanners -= 1
    }
  }, [])
}

/** Whether a scanner has the keys now. */
export function areKeysOfScanner(): boolean {
  return scanners > 0
}

/** The keys of the screen that is shown, and those that all screens have. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const words: KeyWords = [
    ...[...shown].flat(),
    [nameGoToKey(), 'go to a screen or a component'],
    ['?', 'these keys'],
  ]
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {words.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt className="font-mono">{key}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
