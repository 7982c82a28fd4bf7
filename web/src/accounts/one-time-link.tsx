import type { HowMailed } from '@inventory-manager/contract/accounts/team-endpoints'
import { formatDateTime } from '../lib/dates.ts'
import { Banner } from '../ui/banner.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { LinkPicture } from './link-picture.tsx'

export type MadeLink = HowMailed & { secret: string; expires_at: string }

type OneTimeLinkProps = { path: string; link: MadeLink; email: string }

function mailSentence({ mailed, not_mailed: reason }: HowMailed, email: string): string | null {
  if (mailed === 'off') return null
  if (mailed === 'sent') return `A mail with this link is on its way to ${email}.`
  return `${reason ?? 'The mail could not be sent.'} Pass the link on yourself: earlier ones for ${email} are no longer good.`
}

/** A link that was just made. It is shown this once: what is stored does not hold it. */
export function OneTimeLink({ path, link, email }: OneTimeLinkProps) {
  const address = `${window.location.origin}${path}#${link.secret}`
  const sentence = mailSentence(link, email)

  return (
    <div className="flex flex-col gap-4">
      {sentence !== null && <Banner tone={link.mailed === 'sent' ? 'good' : 'warn'}>{sentence}</Banner>}
      <CopyField
        label={`Link for ${email}`}
        value={address}
        hint={`Shown only now. Works once, until ${formatDateTime(link.expires_at)}.`}
        button="Copy link"
      />
      <LinkPicture address={address} />
    </div>
  )
}
