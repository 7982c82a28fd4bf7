import {
  acceptInvitation as acceptEndpoint,
  confirmEmail as confirmEndpoint,
  forgotPassword as forgotEndpoint,
  readLink,
  resetPassword as resetEndpoint,
} from '@inventory-manager/contract/accounts/link-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { confirmEmail } from './confirmations.ts'
import { acceptInvitation } from './joining.ts'
import { lookAtLink, type LinkParts } from './links.ts'
import type { MailParts } from './mails.ts'
import { forgotPassword, resetPassword } from './new-passwords.ts'

export function linkRoutes(bind: Binder, parts: LinkParts & MailParts): void {
  bind.open(readLink, async ({ body, caller }) => {
    const link = await lookAtLink(parts, body.secret, caller)
    return {
      kind: link.kind,
      company_name: link.company_name,
      email: link.email,
      name: link.user_name ?? '',
      role: link.invited_role ?? link.user_role ?? 'user',
      expires_at: link.expires_at.toISOString(),
    }
  })

  bind.open(acceptEndpoint, async ({ body, caller, key }) => ({
    success: true,
    ...(await acceptInvitation(parts, { ...body, caller, key })),
  }))

  bind.open(forgotEndpoint, async ({ body, caller }) => ({
    success: true,
    ...(await forgotPassword(parts, { email: body.email, caller })),
  }))

  bind.open(resetEndpoint, async ({ body, caller, key }) => ({
    success: true,
    ...(await resetPassword(parts, { ...body, caller, key })),
  }))

  bind.open(confirmEndpoint, async ({ body, caller }) => {
    await confirmEmail(parts, { ...body, caller })
    return { success: true }
  })
}
