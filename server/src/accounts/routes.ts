import {
  changePassword as changePasswordEndpoint,
  login,
  logout,
  registerTenant,
  tenantContext,
  whoAmI,
} from '@inventory-manager/contract/accounts/endpoints'
import { recordAudit } from '../audit/queries.ts'
import type { Database } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder.ts'
import { endSession } from './queries.ts'
import { changePassword, registerCompany, signIn, type AccountLimits } from './service.ts'
import type { Tokens } from './tokens.ts'

type Parts = { database: Database; tokens: Tokens; limits: AccountLimits }

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
    await endSession(tx, actor.sessionId)
    await recordAudit(tx, actor, {
      kind: 'authentication',
      event: 'logout_completed',
      sku: 'AUTH_LOGOUT_COMPLETED',
      source: 'authentication',
      metadata: { type: 'auth_event', reason: 'user_initiated' },
    })
    return { success: true }
  })

  bind.ownTransaction(changePasswordEndpoint, async ({ claims, body }) => ({
    success: true,
    ...(await changePassword(parts, claims, body)),
  }))

  bind.member(whoAmI, ({ actor }) =>
    Promise.resolve({
      user: {
        id: actor.userId,
        tenantId: actor.tenantId,
        companyName: actor.companyName,
        role: actor.role,
        email: actor.email,
        name: actor.userName,
        plan: actor.plan,
      },
    }),
  )

  bind.member(tenantContext, ({ actor }) =>
    Promise.resolve({ tenant_id: actor.tenantId, user_id: actor.userId, role: actor.role }),
  )
}
