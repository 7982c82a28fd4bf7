import { whoAmI } from '@inventory-manager/contract/accounts/endpoints'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { useLocatedSession } from './session.ts'

/** It is confirmed in the mail program's browser, on any device; no news tell of it. */
const refreshMs = 10_000

type Reply = EndpointReply<typeof whoAmI>

const isToConfirm = (reply: Reply | undefined) =>
  reply?.sends_mail === true && reply.email_confirmed === false

/**
 * Whether an administrator has yet to confirm their address, so that mails of low stock go there: where mails are sent, and not
 * before it is known.
 */
export function useAddressToConfirm(): boolean {
  const { user } = useLocatedSession()
  const { data } = useQuery({
    // Beside what the session keeps of the same call.
    queryKey: [whoAmI.path, 'address'],
    queryFn: ({ signal }) => call(whoAmI, {}, { signal }),
    enabled: user.role === 'admin',
    refetchInterval: ({ state }) => (isToConfirm(state.data) ? refreshMs : false),
  })
  return user.role === 'admin' && isToConfirm(data)
}
