import { registerTenant } from '@inventory-manager/contract/accounts/endpoints'
import { registrationMessages } from '@inventory-manager/contract/accounts/messages'
import { isEmail, minPasswordLength, timeZone } from '@inventory-manager/contract/accounts/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { getPlan, plans, type PlanKey } from '@inventory-manager/contract/plans'
import { useState } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatDate } from '../lib/dates.ts'
import { paths } from '../lib/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { AuthFrame } from './auth-frame.tsx'

const registrationTimeoutMs = 30_000

type Form = {
  companyName: string
  contactName: string
  contactEmail: string
  password: string
  plan: PlanKey
}
type Faults = Partial<Record<'companyName' | 'contactName' | 'contactEmail' | 'password', string>>
type Registered = EndpointReply<typeof registerTenant>['tenant']

function emailFault(email: string): string | undefined {
  if (email === '') return registrationMessages.emailRequired
  return isEmail(email) ? undefined : registrationMessages.emailFormat
}

function passwordFault(password: string): string | undefined {
  if (password === '') return registrationMessages.passwordRequired
  return password.length < minPasswordLength ? registrationMessages.passwordLength : undefined
}

/** What is wrong with the form, by field (specification 5, 'Registration'). */
function faultsOf(form: Form): Faults {
  const company = form.companyName.trim() === '' ? registrationMessages.companyRequired : undefined
  const name = form.contactName.trim() === '' ? registrationMessages.nameRequired : undefined
  const email = emailFault(form.contactEmail.trim())
  const password = passwordFault(form.password)
  return {
    ...(company === undefined ? {} : { companyName: company }),
    ...(name === undefined ? {} : { contactName: name }),
    ...(email === undefined ? {} : { contactEmail: email }),
    ...(password === undefined ? {} : { password }),
  }
}

const statusSentences: Record<number, string> = {
  400: registrationMessages.invalid,
  409: registrationMessages.taken,
  500: registrationMessages.server,
}

/** Where nobody new is registered, and where one has to wait: why is known to the server alone. */
const toldAsItIs = new Set([403, 429, 503])

const unansweredSentences = {
  timeout: registrationMessages.timeout,
  network: registrationMessages.network,
  bad_reply: registrationMessages.badReply,
} as const

/** The sentence for a registration that failed (specification 8, 'Registration'). */
function sentenceFor(error: unknown): string {
  if (!(error instanceof ApiError)) return registrationMessages.browser
  if (error.kind !== 'reply') return unansweredSentences[error.kind]
  if (error.isForeign && error.status !== 500) return registrationMessages.badReply
  const status = error.status ?? 0
  return toldAsItIs.has(status) ? error.message : (statusSentences[status] ?? registrationMessages.other)
}

const fieldsOfBody: Readonly<Partial<Record<string, { field: keyof Faults; name: string }>>> = {
  companyName: { field: 'companyName', name: 'Company name' },
  contactName: { field: 'contactName', name: 'Your name' },
  contactEmail: { field: 'contactEmail', name: 'Work email' },
  adminPasscode: { field: 'password', name: 'The password' },
}

/** What the server finds wrong with the fields. */
function refusedFaults(error: unknown): Faults {
  const found: Faults = {}
  for (const { path, message } of error instanceof ApiError ? error.details : []) {
    const of = fieldsOfBody[path]
    // What is no sentence by itself begins with the name of its field.
    if (of !== undefined) found[of.field] ??= /^[a-z]/.test(message) ? `${of.name} ${message}` : message
  }
  return found
}

function PlanChoice({ value, onChange }: { value: PlanKey; onChange: (plan: PlanKey) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Choose your plan</legend>
      <div className="flex flex-col gap-2">
        {plans.map((plan) => (
          <label
            key={plan.key}
            className={classNames(
              'flex cursor-pointer gap-3 rounded-control border p-3',
              value === plan.key ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name="plan"
              value={plan.key}
              checked={value === plan.key}
              onChange={() => onChange(plan.key)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline justify-between gap-2 font-medium">
                <span className="flex flex-wrap items-center gap-x-2">
                  {plan.name}
                  {plan.popular && <Badge tone="info">Popular</Badge>}
                </span>
                {plan.price}
              </span>
              <span className="text-sm text-muted">{plan.features.join(', ')}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Success({ tenant, email }: { tenant: Registered; email: string }) {
  const rows = [
    { term: 'Company', detail: tenant.companyName },
    { term: 'Plan', detail: getPlan(tenant.plan).name },
    { term: 'Trial ends', detail: formatDate(tenant.trialEndsAt) },
  ]
  return (
    <AuthFrame title="Welcome to Inventory Manager">
      <Banner tone="good">Your company is registered. Your free trial has started.</Banner>
      <dl className="my-5 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {rows.map(({ term, detail }) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="font-medium break-words">{detail}</dd>
          </div>
        ))}
      </dl>
      <Link href={paths.login} state={{ email }} className={classNames(buttonClasses('primary'), 'w-full')}>
        Continue to Login
      </Link>
    </AuthFrame>
  )
}

const legal = [
  { name: 'Terms of Service', text: 'The terms of service are set by the operator of this installation.' },
  { name: 'Privacy Policy', text: 'The privacy policy is set by the operator of this installation.' },
]

function Legal() {
  return (
    <p className="text-center text-sm text-muted">
      By registering you accept the{' '}
      {legal.map(({ name, text }, index) => (
        <span key={name}>
          {index > 0 && ' and the '}
          <a
            href={`#${name.toLowerCase().replaceAll(' ', '-')}`}
            className="text-accent-text underline underline-offset-4"
            onClick={(event) => {
              event.preventDefault()
              window.alert(text)
            }}
          >
            {name}
          </a>
        </span>
      ))}
      .
    </p>
  )
}

const emptyForm: Form = { companyName: '', contactName: '', contactEmail: '', password: '', plan: 'starter' }

/** Undefined where the browser does not know its own: Chrome then gives 'Etc/Unknown'. The company's is UTC at first. */
function browserTimeZone(): string | undefined {
  return timeZone.safeParse(Intl.DateTimeFormat().resolvedOptions().timeZone).data
}

export function RegisterScreen() {
  const [form, setForm] = useState(emptyForm)
  const { faults, accept, forget } = useFaults<keyof Faults>()
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })
  const [registered, setRegistered] = useState<Registered | null>(null)
  const once = useOnce()

  async function submit(element: HTMLFormElement): Promise<void> {
    if (!accept(faultsOf(form), element)) return
    setState({ busy: true, error: null })
    try {
      const body = {
        companyName: form.companyName.trim(),
        contactName: form.contactName.trim(),
        contactEmail: form.contactEmail.trim().toLowerCase(),
        adminPasscode: form.password,
        plan: form.plan,
        timeZone: browserTimeZone(),
      }
      const reply = await once(body, (idempotencyKey) =>
        call(registerTenant, { body }, { timeoutMs: registrationTimeoutMs, idempotencyKey }),
      )
      setRegistered(reply.tenant)
    } catch (error) {
      setState({ busy: false, error: sentenceFor(error) })
      accept(refusedFaults(error), element)
    }
  }

  if (registered !== null) return <Success tenant={registered} email={form.contactEmail.trim()} />

  function change(part: Partial<Form>): void {
    setForm({ ...form, ...part })
    forget(part)
  }

  return (
    <AuthFrame title="Start your free trial">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget).catch(reportError)
        }}
      >
        {state.error !== null && <Fault text={state.error} />}
        <TextField
          label="Company name"
          name="companyName"
          autoComplete="organization"
          value={form.companyName}
          error={faults.companyName}
          onChange={(event) => change({ companyName: event.target.value })}
        />
        <TextField
          label="Your name"
          name="contactName"
          autoComplete="name"
          value={form.contactName}
          error={faults.contactName}
          onChange={(event) => change({ contactName: event.target.value })}
        />
        <TextField
          label="Work email"
          name="contactEmail"
          type="email"
          autoComplete="username"
          value={form.contactEmail}
          error={faults.contactEmail}
          onChange={(event) => change({ contactEmail: event.target.value })}
        />
        <TextField
          label="Create password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="8 or more characters are recommended."
          value={form.password}
          error={faults.password}
          onChange={(event) => change({ password: event.target.value })}
        />
        <PlanChoice value={form.plan} onChange={(plan) => change({ plan })} />
        <Button look="primary" submits rests={state.busy}>
          {state.busy ? 'Creating Account...' : 'Start Free Trial'}
        </Button>
        <p className="text-center text-sm text-muted">14 days free. No card needed.</p>
        <Legal />
      </form>
      <p className="mt-5 text-center text-sm">
        <Link href={paths.login} className="text-accent-text underline-offset-4 hover:underline">
          Already have an account? Sign in
        </Link>
      </p>
    </AuthFrame>
  )
}
