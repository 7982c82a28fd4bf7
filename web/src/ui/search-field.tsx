import { useRef, useState, type ComponentProps } from 'react'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { useKeys } from './use-keys.ts'

export type KeyWords = readonly (readonly [key: string, words: string])[]

const searchKeys: KeyWords = [
  ['/', 'search'],
  ['?', 'these keys'],
]

/** The keys of a screen with a search field: its own ones first. */
export function KeysDialog({ keys, onClose }: { keys: KeyWords; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {[...keys, ...searchKeys].map(([key, words]) => (
          <div key={key} className="contents">
            <dt className="font-mono">{key}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

type SearchFieldProps = Omit<ComponentProps<typeof TextField>, 'ref' | 'type'> & { keys?: KeyWords }

/** The search of a screen, one on each: `/` goes to it, `?` lists the keys. Not where a scanner types. */
export function SearchField({ keys = [], ...field }: SearchFieldProps) {
  const ref = useRef<HTMLInputElement>(null)
  const [showingKeys, setShowingKeys] = useState(false)
  useKeys({
    '/': () => ref.current?.focus(),
    '?': () => setShowingKeys(true),
  })
  return (
    <>
      <TextField {...field} ref={ref} type="search" />
      {showingKeys && <KeysDialog keys={keys} onClose={() => setShowingKeys(false)} />}
    </>
  )
}
