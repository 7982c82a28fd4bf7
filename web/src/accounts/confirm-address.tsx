import { confirmEmail } from '@inventory-manager/contract/accounts/link-endpoints'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { paths } from '../lib/paths.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Fault } from '../ui/fault.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Confirms an address when the button is pressed: what looks through mails opens links, too. */
export function ConfirmAddress({ secret, email }: { secret: string; email: string }) {
  const confirm = useMutation({ mutationFn: () => call(confirmEmail, { body: { secret } }) })
  if (confirm.isSuccess) {
    return (
      <AuthFrame title="Thank you">
        <Banner tone="good">Your address is confirmed.</Banner>
        <Link href={paths.overview} className={classNames(buttonClasses('primary'), 'mt-5 w-full')}>
          Continue
        </Link>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title="Confirm your address">
      <div className="flex flex-col gap-4">
        {confirm.error !== null && <Fault text={messageOf(confirm.error)} />}
        <p className="text-muted">
          You confirm that <span className="font-medium wrap-anywhere text-text">{email}</span> is your
          address, so that mail about low stock can be sent to it.
        </p>
        <Button look="primary" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          Confirm address
        </Button>
      </div>
    </AuthFrame>
  )
}
