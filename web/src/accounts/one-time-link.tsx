import type { Mailed } from '@inventory-manager/contract/accounts/team-endpoints'
import { useEffect, useRef, useState } from 'react'
import { formatDateTime } from '../lib/dates.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { LinkPicture } from './link-picture.tsx'

export type MadeLink = { secret: string; expires_at: string; mailed: Mailed }

type OneTimeLinkProps = { path: string; link: MadeLink; email: string }

function mailSentence(mailed: Mailed, email: string): string | null {
  if (mailed === 'sent') return `A mail with this link is on its way to ${email}.`
  return mailed === 'failed' ? 'The mail could not be sent. Pass the link on yourself.' : null
}

/** A link that was just made. It is shown this once: what is stored does not hold it. */
export function OneTimeLink({ path, link, email }: OneTimeLinkProps) {
  const field = useRef<HTMLInputElement>(null)
  // What was pressed for it is gone, and the focus with it.
  useEffect(() => field.current?.focus(), [])
  const [copied, setCopied] = useState(false)
  const address = `${window.location.origin}${path}#${link.secret}`
  const sentence = mailSentence(link.mailed, email)

  async function copy(): Promise<void> {
    field.current?.select()
    // Over plain http browsers offer no clipboard: then the link stands selected, ready to be copied.
    if (!window.isSecureContext) return
    await navigator.clipboard.writeText(address)
    setCopied(true)
  }

  return (
    <div className="flex flex-col gap-4">
      {sentence !== null && <Banner tone={link.mailed === 'sent' ? 'good' : 'warn'}>{sentence}</Banner>}
      <TextField
        ref={field}
        label={`Link for ${email}`}
        readOnly
        value={address}
        hint={`Shown only now. Works once, until ${formatDateTime(link.expires_at)}.`}
        onFocus={(event) => event.target.select()}
      />
      <Button look="primary" onClick={() => void copy().catch(reportError)}>
        {copied ? 'Copied' : 'Copy link'}
      </Button>
      <LinkPicture address={address} />
    </div>
  )
}
