import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'

/** Copies what a field holds; says whether the browser did. The field is left selected, to be copied by hand. */
async function copyFrom(field: HTMLInputElement): Promise<boolean> {
  field.select()
  // Over plain http browsers offer no clipboard, and what they offer they may refuse: the older way is left.
  if (!window.isSecureContext) return document.execCommand('copy')
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch (error) {
    if (error instanceof DOMException) return document.execCommand('copy')
    throw error
  }
}

const words = { none: '', copied: 'Copied.', selected: 'Selected: copy it with Ctrl+C, or ⌘C on a Mac.' }

type CopyFieldProps = { label: string; value: string; hint: string; button: string }

/** A text that is shown to be passed on, with the focus, and the button that copies it. */
export function CopyField({ label, value, hint, button }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  // What was pressed for it is gone, and the focus with it.
  useEffect(() => field.current?.focus(), [])
  const [came, setCame] = useState<keyof typeof words>('none')

  async function copy(): Promise<void> {
    if (field.current === null) return
    setCame('none')
    setCame((await copyFrom(field.current)) ? 'copied' : 'selected')
  }

  return (
    <>
      <TextField
        ref={field}
        label={label}
        readOnly
        spellCheck={false}
        value={value}
        hint={hint}
        onFocus={(event) => event.target.select()}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={() => void copy().catch(reportError)}>
          {button}
        </Button>
        <p role="status" className="text-sm text-muted">
          {words[came]}
        </p>
      </div>
    </>
  )
}
