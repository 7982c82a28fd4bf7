import type { HowMailed } from '@inventory-manager/contract/accounts/team-endpoints'
import { formatDateTime } from '../lib/dates.ts'
import { Banner } from '../ui/banner.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { LinkPicture } from './link-picture.tsx'
import { isOfThisMachine } from './this-machine.ts'

export type MadeLink = HowMailed & { secret: string; expires_at: string; public_url?: string | undefined }

type OneTimeLinkProps = { path: string; link: MadeLink; email: string }

function mailSentence({ mailed, not_mailed: reason }: HowMailed, email: string): string | null {
  if (mailed === 'off') return null
  if (mailed === 'sent') return `A mail with this link is on its way to ${email}.`
  return `${reason ?? 'The mail could not be sent.'} Pass the link on yourself: earlier ones for ${email} are no longer good.`
}

/** A link that was just made. It is shown this once: what is stored does not hold it. */
export function OneTimeLink({ path, link, email }: OneTimeLinkProps) {
  const origin = link.public_url ?? window.location.origin
  const address = `${origin}${path}#${link.secret}`
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
      {isOfThisMachine(origin) ? (
        <Banner tone="warn">
          This link opens on this machine only. Open the program here by this machine’s address in your
          network and make the link there. Where it does not open, see “In your network” in docs/operating.md.
        </Banner>
      ) : (
        <LinkPicture address={address} />
      )}
    </div>
  )
}
