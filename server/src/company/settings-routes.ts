import { getCompany } from '@inventory-manager/contract/company/company-endpoints'
import { setLabelLogo as setLabelLogoEndpoint } from '@inventory-manager/contract/company/label-logo-endpoints'
import {
  changeSettings as changeEndpoint,
  deleteLogo,
  setLogo as setLogoEndpoint,
} from '@inventory-manager/contract/company/settings-change-endpoints'
import {
  getLogo as getLogoEndpoint,
  getSettings,
} from '@inventory-manager/contract/company/settings-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { namesTag } from '../platform/http/kept-replies.ts'
import {
  changeSettings,
  getLogo,
  presentCompany,
  presentSettings,
  removeLogo,
  setLabelLogo,
  setLogo,
} from './settings-service.ts'

/** A picture, and nothing else, whatever it should hold: opened by itself it runs in no origin and loads nothing. */
const pictureOnly = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const fileNames = { 'image/png': 'logo.png', 'image/jpeg': 'logo.jpg', 'image/svg+xml': 'logo.svg' } as const

export function settingsRoutes(bind: Binder): void {
  bind.member(getCompany, ({ tx, actor }) => presentCompany(tx, actor))

  bind.member(getSettings, ({ tx, actor }) => presentSettings(tx, actor))

  bind.member(changeEndpoint, async ({ tx, actor, body }) => {
    await changeSettings(tx, actor, body)
    return { success: true, settings: await presentSettings(tx, actor) }
  })

  bind.member(setLogoEndpoint, async ({ tx, actor, body }) => ({
    success: true,
    logo: await setLogo(tx, actor, body.content),
  }))

  bind.member(setLabelLogoEndpoint, async ({ tx, actor, body }) => {
    await setLabelLogo(tx, actor, body.rows)
    return { success: true }
  })

  bind.member(deleteLogo, async ({ tx, actor }) => {
    await removeLogo(tx, actor)
    return { success: true }
  })

  bind.ownTransaction(
    getLogoEndpoint,
    ({ tx, actor }) => getLogo(tx, actor),
    async ({ begun: logo, request, reply }) => {
      const tag = `"${logo.hash}"`
      void reply.headers({
        etag: tag,
        'cache-control': 'private, no-cache',
        vary: 'authorization',
        'content-security-policy': pictureOnly,
        'content-disposition': `inline; filename="${fileNames[logo.content_type]}"`,
      })
      if (namesTag(request.headers['if-none-match'], tag)) return await reply.code(304).send()
      return await reply.type(logo.content_type).send(logo.content)
    },
  )
}
