import {
  changePassword as changePasswordEndpoint,
  login,
  logout,
  registerTenant,
  tenantContext,
  whoAmI,
} from '@inventory-manager/contract/accounts/endpoints'
import { recordAuthentication } from '../audit/authentication.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { ownAccountRoutes } from './account-routes.ts'
import { isAddressConfirmed } from './confirmed-addresses.ts'
import { linkRoutes } from './link-routes.ts'
import type { LinkParts } from './links.ts'
import type { MailParts } from './mails.ts'
import { endSession } from './queries.ts'
import { beforePasswordChange, changePassword, registerCompany, type AccountLimits } from './service.ts'
import { signIn } from './sign-in.ts'
import { teamRoutes } from './team-routes.ts'

type Parts = LinkParts & MailParts & { limits: AccountLimits; publicUrl: string | undefined }

export function accountRoutes(bind: Binder, parts: Parts): void {
  bind.open(registerTenant, async ({ body, caller, key }) => {
    const { tenantId, trialEndsAt } = await registerCompany(parts, body, { caller, key })
    return {
      success: true,
      message: 'Your company is registered.',
      tenant: {
        id: tenantId,
        companyName: body.companyName,
        plan: body.plan,
        trialEndsAt,
      },
    }
  })

  bind.open(login, async ({ body, caller }) => ({ success: true, ...(await signIn(parts, body, caller)) }))

  bind.member(logout, async ({ tx, actor }) => {
    const reason = 'user_initiated'
    await recordAuthentication(tx, actor, { event: 'logout_initiated', reason })
    await endSession(tx, actor.sessionId)
    await recordAuthentication(tx, actor, { event: 'logout_completed', reason })
    return { success: true }
  })

  bind.ownTransaction(
    changePasswordEndpoint,
    ({ tx, actor, key }) => beforePasswordChange(tx, actor, key),
    async ({ actor: { email }, caller: { address }, begun, body, key, enter }) => ({
      success: true,
      ...(await changePassword(parts, { email, address, begun, body, key, enter })),
    }),
  )

  bind.member(whoAmI, async ({ tx, actor }) => ({
    user: {
      id: actor.userId,
      tenantId: actor.tenantId,
      companyName: actor.companyName,
      locationNames: actor.locationNames,
      role: actor.role,
      email: actor.email,
      name: actor.userName,
      plan: actor.plan,
      seated: actor.seated,
    },
    email_confirmed: await isAddressConfirmed(tx, actor.userId),
    sends_mail: parts.mailer !== null,
  }))

  bind.member(tenantContext, ({ actor }) =>
    Promise.resolve({ tenant_id: actor.tenantId, user_id: actor.userId, role: actor.role }),
  )

  linkRoutes(bind, parts)
  teamRoutes(bind, parts)
  ownAccountRoutes(bind, parts)
}
