import { setLabelLogo } from '@inventory-manager/contract/company/label-logo-endpoints'
import { contrastWithWhite, leastContrast, tooLight } from '@inventory-manager/contract/company/colours'
import {
  deleteLogo,
  logoTypes,
  maxLogoBytes,
  setLogo,
  tooLargeLogo,
} from '@inventory-manager/contract/company/settings-change-endpoints'
import type { CompanySettings } from '@inventory-manager/contract/company/settings-endpoints'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnewAfter } from '../api/read-anew.ts'
import { paths } from '../lib/paths.ts'
import { useLogoUrl } from '../session/branding.ts'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { Fault } from '../ui/fault.tsx'
import { Checkbox, FileInput, TextField } from '../ui/field.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { dotsOf } from './logo-dots.ts'
import { LabelLogoSwitch, readLogo } from './label-logo.tsx'
import { SettingsForm, useDraft } from './settings-card.tsx'

/** The standard accent, where a company has none of its own. */
const standard = '#1d4ed8'

function AccentForm({ colour }: { colour: string | null }) {
  const { fields, enter, release } = useDraft({ own: colour !== null, value: colour ?? standard })
  const { own, value } = fields
  const contrast = contrastWithWhite(value.toLowerCase())
  const valid = contrast >= leastContrast
  const fault = Number.isNaN(contrast) ? 'A colour such as #1d4ed8.' : tooLight
  const values = { accent_colour: own ? value : null }
  return (
    <SettingsForm
      title="Accent colour"
      values={own && !valid ? null : values}
      stored={{ accent_colour: colour }}
      onSaved={release}
    >
      <Checkbox
        label="Our own colour for buttons and links"
        checked={own}
        onChange={(event) => enter({ own: event.target.checked })}
      />
      {own && (
        <div className="grid grid-cols-[1fr_auto] items-end gap-3">
          <TextField
            label="Colour"
            value={value}
            error={valid ? undefined : fault}
            onChange={(event) => enter({ value: event.target.value })}
          />
          <input
            type="color"
            aria-label="Pick the colour"
            value={Number.isNaN(contrast) ? standard : value.toLowerCase()}
            onChange={(event) => enter({ value: event.target.value })}
            className="h-12 w-16 rounded-control border border-line-strong/70 bg-surface p-1 lg:h-9"
          />
        </div>
      )}
    </SettingsForm>
  )
}

/** A file's content in base64, as the call takes it. */
async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Sets a logo; where labels print the logo, they print the new one. */
async function upload(file: File, onLabels: boolean): Promise<void> {
  if (file.size > maxLogoBytes) throw new Error(tooLargeLogo)
  const content = await toBase64(file)
  await call(setLogo, { body: { content } })
  if (!onLabels) return
  await call(setLabelLogo, { body: { rows: [...(await dotsOf(`data:${file.type};base64,${content}`))] } })
}

function LogoForm({ hasLogo, onLabels }: { hasLogo: boolean; onLabels: boolean }) {
  const logoUrl = useLogoUrl()
  const id = useId()
  const setting = useMutation({
    mutationFn: (file: File) => readAnewAfter(() => upload(file, onLabels), readLogo),
  })
  const removing = useMutation({ mutationFn: () => readAnewAfter(() => call(deleteLogo, {}), readLogo) })
  const group = useListFocus<HTMLDivElement>(removing.isPending ? null : Number(hasLogo))
  return (
    <Card title="Logo">
      <div className="flex flex-col gap-4">
        <p id={`${id}-hint`} className="text-sm text-muted">
          PNG, JPEG or plain SVG, at most 128 kB. It is shown in the bar above every screen.
        </p>
        {setting.error !== null && <Fault text={`${setting.variables.name}: ${messageOf(setting.error)}`} />}
        {removing.error !== null && <Fault text={messageOf(removing.error)} />}
        <div className="grid h-20 place-items-center rounded-card border border-line bg-sunken p-3">
          {logoUrl === null ? (
            <span className="text-sm text-muted">No logo</span>
          ) : (
            <img src={logoUrl} alt="Your logo" className="max-h-14 max-w-full" />
          )}
        </div>
        <div ref={group} tabIndex={-1} role="group" aria-label="Logo" className="flex flex-wrap gap-2">
          <label
            className={classNames(
              buttonClasses('secondary'),
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            )}
          >
            {hasLogo ? 'Replace logo' : 'Choose a file'}
            <FileInput
              accept={logoTypes.join(',')}
              aria-describedby={`${id}-hint`}
              className="sr-only"
              onFile={(file) => setting.mutate(file)}
            />
          </label>
          {hasLogo && (
            <Button disabled={removing.isPending} onClick={() => removing.mutate()}>
              Remove logo
            </Button>
          )}
        </div>
        {hasLogo && <LabelLogoSwitch logoUrl={logoUrl} on={onLabels} />}
      </div>
    </Card>
  )
}

type BrandingFormProps = { settings: CompanySettings; inPlan: boolean }

/** Logo and colour, from the professional plan on. */
export function BrandingForm({ settings, inPlan }: BrandingFormProps) {
  if (!inPlan) {
    return (
      <Card title="Branding">
        <p className="text-sm text-muted">
          Your logo and your colour on every screen begin with the Professional plan.
        </p>
        <Link href={paths.plan} className={`${buttonClasses('secondary')} mt-4`}>
          See the plans
        </Link>
      </Card>
    )
  }
  return (
    <>
      <LogoForm
        hasLogo={settings.logo !== null}
        onLabels={settings.administration?.logo_on_labels ?? false}
      />
      <AccentForm colour={settings.accent_colour} />
    </>
  )
}
