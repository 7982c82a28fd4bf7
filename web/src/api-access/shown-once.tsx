import { useEffect, useRef, useState } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'

/** A secret that was just made. It is shown this once: what is stored does not hold it, or is never shown. */
export function ShownOnce({ label, secret, hint }: { label: string; secret: string; hint: string }) {
  const field = useRef<HTMLInputElement>(null)
  // What was pressed for it is gone, and the focus with it.
  useEffect(() => field.current?.focus(), [])
  const [copied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    field.current?.select()
    // Over plain http browsers offer no clipboard: then it stands selected, ready to be copied.
    if (!window.isSecureContext) return
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }

  return (
    <div className="flex flex-col gap-4">
      <Banner tone="warn">Copy it now and keep it safe. It is not shown again.</Banner>
      <TextField
        ref={field}
        label={label}
        readOnly
        spellCheck={false}
        value={secret}
        hint={hint}
        onFocus={(event) => event.target.select()}
      />
      <Button look="primary" onClick={() => void copy().catch(reportError)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
