import { useMemo, useRef, type ComponentProps } from 'react'
import { TextField } from './field.tsx'
import { useKeyWords, type KeyWords } from './keys.tsx'
import { useKeys } from './use-keys.ts'

type SearchFieldProps = Omit<ComponentProps<typeof TextField>, 'ref' | 'type'> & { keys?: KeyWords }

const none: KeyWords = []

/** The search of a screen, one on each: `/` goes to it; `keys` are those of the screen. Not where a scanner types. */
export function SearchField({ keys = none, ...field }: SearchFieldProps) {
  const ref = useRef<HTMLInputElement>(null)
  useKeyWords(useMemo((): KeyWords => [...keys, ['/', 'search']], [keys]))
  useKeys({ '/': () => ref.current?.focus() })
  return <TextField {...field} ref={ref} type="search" />
}
