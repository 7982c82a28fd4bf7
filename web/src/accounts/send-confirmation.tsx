import { sendConfirmation } from '@inventory-manager/contract/accounts/account-endpoints'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useAddressToConfirm } from '../session/own-address.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'

/** What an administrator does to get mails of low stock; nothing where that is done, or no mail is sent. */
export function SendConfirmation() {
  const { user } = useLocatedSession()
  const isWanted = useAddressToConfirm()
  const send = useMutation({ mutationFn: () => call(sendConfirmation, {}) })
  if (!isWanted) return null
  return (
    <div className="mt-6 flex flex-col gap-4">
      {send.error !== null && <Fault text={messageOf(send.error)} />}
      {send.data?.mailed === 'failed' && (
        <Banner tone="warn">The mail could not be sent. Try again later.</Banner>
      )}
      {send.data?.mailed === 'sent' && <Banner tone="good">A mail is on its way to {user.email}.</Banner>}
      <p className="text-sm text-muted">
        Mail about low stock goes to confirmed addresses only. Send yourself a link to confirm yours.
      </p>
      <div>
        <Button disabled={send.isPending} onClick={() => send.mutate()}>
          Send confirmation
        </Button>
      </div>
    </div>
  )
}
