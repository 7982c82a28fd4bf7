import {
  acceptInvitation,
  readLink,
  resetPassword,
} from '@inventory-manager/contract/accounts/link-endpoints'
import { registrationMessages } from '@inventory-manager/contract/accounts/messages'
import { minPasswordLength } from '@inventory-manager/contract/accounts/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { paths } from '../lib/paths.ts'
import { beginSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { AuthFrame } from './auth-frame.tsx'
import { ConfirmAddress } from './confirm-address.tsx'

type LinkFacts = EndpointReply<typeof readLink>

/** The secret stands behind the '#', which no browser sends and no log keeps. */
function readSecret(): string {
  return window.location.hash.slice(1)
}

/** Another link of the same kind, opened in the same tab, changes nothing but its secret. */
function followLinks(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

type Faults = Partial<Record<'name' | 'password', string>>

function faultsOf(form: { name: string; password: string }, facts: LinkFacts): Faults {
  const nameless = facts.kind === 'invitation' && form.name.trim() === ''
  return {
    ...(nameless ? { name: registrationMessages.nameRequired } : {}),
    ...(form.password.length < minPasswordLength ? { password: registrationMessages.passwordLength } : {}),
  }
}

/** Name and password for an invitation, the password alone for a forgotten one; either signs in. */
function LinkForm({ secret, facts }: { secret: string; facts: LinkFacts }) {
  const [, goTo] = useLocation()
  const once = useOnce()
  const [form, setForm] = useState({ name: '', password: '' })
  const { faults, accept, forget } = useFaults<keyof Faults>()
  const use = useMutation({
    mutationFn: () => {
      const used = { secret, passcode: form.password }
      if (facts.kind === 'password') {
        return once(used, (idempotencyKey) => call(resetPassword, { body: used }, { idempotencyKey }))
      }
      const body = { ...used, name: form.name.trim() }
      return once(body, (idempotencyKey) => call(acceptInvitation, { body }, { idempotencyKey }))
    },
    onSuccess: ({ token, user }) => {
      // First away from the link, which is used up, then in.
      goTo(paths.overview, { replace: true })
      beginSession(token, user)
    },
  })

  function change(part: Partial<typeof form>): void {
    setForm({ ...form, ...part })
    forget(part)
  }

  function submit(element: HTMLFormElement): void {
    if (accept(faultsOf(form, facts), element)) use.mutate()
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {use.error !== null && <Fault text={messageOf(use.error)} />}
      <p className="text-muted">
        You will sign in as <span className="font-medium wrap-anywhere text-text">{facts.email}</span>.
      </p>
      {/* For password managers, which look for the name beside the password. */}
      <input type="hidden" name="email" autoComplete="username" value={facts.email} />
      {facts.kind === 'invitation' && (
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          value={form.name}
          error={faults.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      )}
      <TextField
        label="Choose a password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="8 or more characters are recommended."
        value={form.password}
        error={faults.password}
        onChange={(event) => change({ password: event.target.value })}
      />
      <Button look="primary" submits rests={use.isPending}>
        {facts.kind === 'invitation' ? 'Join and sign in' : 'Save and sign in'}
      </Button>
    </form>
  )
}

/** Where a one-time link leads: an invitation to a company, a new password, or an address to confirm. */
export function LinkScreen() {
  const secret = useSyncExternalStore(followLinks, readSecret)
  const {
    data: facts,
    error,
    refetch,
  } = useQuery({
    queryKey: [readLink.path, secret],
    queryFn: ({ signal }) => call(readLink, { body: { secret } }, { signal }),
    staleTime: Infinity,
  })
  if (error instanceof ApiError && error.code === 'link_invalid') {
    return (
      <AuthFrame title="This link cannot be used">
        <Banner tone="bad">{messageOf(error)}</Banner>
        <Link href={paths.login} className={classNames(buttonClasses('secondary'), 'mt-5 w-full')}>
          Go to sign in
        </Link>
      </AuthFrame>
    )
  }
  if (error !== null) {
    return (
      <AuthFrame title="This link could not be opened">
        <LoadFailure text={messageOf(error)} onRetry={refetch} />
      </AuthFrame>
    )
  }
  if (facts === undefined) {
    return (
      <AuthFrame title="One moment">
        <Loading label="Loading..." />
      </AuthFrame>
    )
  }
  if (facts.kind === 'email') return <ConfirmAddress key={secret} secret={secret} email={facts.email} />
  const title = facts.kind === 'invitation' ? `Join ${facts.company_name}` : 'Set a new password'
  return (
    <AuthFrame title={title}>
      <LinkForm key={secret} secret={secret} facts={facts} />
    </AuthFrame>
  )
}
