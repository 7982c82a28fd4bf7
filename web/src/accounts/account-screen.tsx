import {
  changeName,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  type OwnSession,
} from '@inventory-manager/contract/accounts/account-endpoints'
import { changePassword } from '@inventory-manager/contract/accounts/endpoints'
import { registrationMessages } from '@inventory-manager/contract/accounts/messages'
import { minPasswordLength } from '@inventory-manager/contract/accounts/rules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isNotFound, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatDateTime } from '../lib/dates.ts'
import { askAsPresent, updateUser, useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { firstClick } from '../ui/first-click.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useListFocus } from '../ui/use-list-focus.ts'
import { roleLabels } from './role-labels.ts'
import { SendConfirmation } from './send-confirmation.tsx'

function endedSentence(ended: number): string {
  if (ended === 0) return 'There was no other session.'
  return ended === 1 ? 'One other session ended.' : `${ended} other sessions ended.`
}

function NameForm() {
  const { user } = useLocatedSession()
  /** Over the stored name, which may be changed elsewhere; null where nothing was entered. */
  const [draft, setDraft] = useState<string | null>(null)
  const name = draft ?? user.name
  const save = useMutation({
    mutationFn: (entered: string) =>
      askAsPresent(
        () => call(changeName, { body: { name: entered } }),
        (reply) => updateUser({ name: reply.name }),
      ),
    onSuccess: (_, entered) => setDraft((now) => (now === entered ? null : now)),
  })
  const isStored = name.trim() === user.name
  return (
    <Card title="You">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save.mutate(name)
        }}
      >
        {save.error !== null && <Fault text={messageOf(save.error)} />}
        {save.data?.name === user.name && isStored && <Banner tone="good">Your name is saved.</Banner>}
        <p className="text-sm text-muted">
          You sign in as <span className="wrap-anywhere text-text">{user.email}</span>, as{' '}
          {roleLabels[user.role].toLowerCase()}.
        </p>
        <TextField
          label="Your name"
          autoComplete="name"
          value={name}
          error={name.trim() === '' ? registrationMessages.nameRequired : undefined}
          onChange={(event) => setDraft(event.target.value)}
        />
        <div>
          <Button look="primary" submits disabled={save.isPending || isStored}>
            Save name
          </Button>
        </div>
      </form>
      <SendConfirmation />
    </Card>
  )
}

const noPasswords = { current: '', next: '' }

function PasswordForm() {
  const client = useQueryClient()
  const { user } = useLocatedSession()
  const [form, setForm] = useState(noPasswords)
  const { faults, accept, forget } = useFaults<'next'>()
  const once = useOnce()
  const change = useMutation({
    mutationFn: () => {
      const body = { passcode: form.current, newPasscode: form.next }
      return once(body, (idempotencyKey) => call(changePassword, { body }, { idempotencyKey }))
    },
    onSuccess: () => {
      setForm(noPasswords)
      void client.invalidateQueries({ queryKey: [listOwnSessions.path] }).catch(reportError)
    },
  })
  return (
    <Card title="Password">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const isShort = form.next.length < minPasswordLength
          const found = isShort ? { next: registrationMessages.passwordLength } : {}
          // What was said of the try before is not about this one.
          if (accept(found, event.currentTarget)) change.mutate()
          else change.reset()
        }}
      >
        {change.error !== null && <Fault text={messageOf(change.error)} />}
        {change.data !== undefined && (
          <Banner tone="good">Your password is changed. {endedSentence(change.data.ended)}</Banner>
        )}
        <input type="hidden" name="email" autoComplete="username" value={user.email} />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={form.current}
          onChange={(event) => setForm({ ...form, current: event.target.value })}
        />
        <TextField
          label="New password"
          name="next"
          type="password"
          autoComplete="new-password"
          hint="Changing it signs you out on every other device."
          value={form.next}
          error={faults.next}
          onChange={(event) => {
            const next = event.target.value
            setForm({ ...form, next })
            forget({ next })
          }}
        />
        <div>
          <Button look="primary" submits disabled={change.isPending || form.current === ''}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  )
}

type SessionRowProps = { session: OwnSession; busy: boolean; onEnd: () => void }

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {session.device}
          {session.current && <Badge tone="info">This device</Badge>}
        </p>
        <p className="text-sm text-muted tabular-nums">
          Last used {formatDateTime(session.last_used_at)}, since {formatDateTime(session.created_at)}
        </p>
      </div>
      {!session.current && (
        <Button
          disabled={busy}
          aria-label={`Sign out ${session.device}, last used ${formatDateTime(session.last_used_at)}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

/** Ends a session of the own; what has ended elsewhere meanwhile is what was wanted. */
async function endSessionOf(id: string): Promise<void> {
  try {
    await call(endOwnSession, { params: { id } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Devices sign in and out elsewhere; no news tell of it. */
const refreshMs = 10_000

function Sessions() {
  const client = useQueryClient()
  const account = useQuery({
    queryKey: [listOwnSessions.path],
    queryFn: ({ signal }) => call(listOwnSessions, {}, { signal }),
    refetchInterval: refreshMs,
  })
  /** Ends one, which its row tells by going, or all others, and gives what is said then. */
  const end = useMutation({
    mutationFn: async (which: { id: string } | 'others') => {
      if (which === 'others') return endedSentence((await call(endOtherSessions, {})).ended)
      await endSessionOf(which.id)
      return null
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [listOwnSessions.path] }).catch(reportError),
  })
  const sessions = account.data?.sessions ?? []
  const list = useListFocus<HTMLUListElement>(end.isPending ? null : sessions.length)
  return (
    <Card
      title="Where you are signed in"
      flush
      aside={
        // Never disabled, so that it keeps the focus; the list may not know yet whether there are others.
        <Button
          onClick={firstClick(() => {
            if (!end.isPending) end.mutate('others')
          })}
        >
          Sign out all others
        </Button>
      }
    >
      {account.error !== null && <LoadFailure text={messageOf(account.error)} onRetry={account.refetch} />}
      {end.error !== null && <Fault text={messageOf(end.error)} />}
      {typeof end.data === 'string' && <Banner tone="good">{end.data}</Banner>}
      {account.isPending && <Loading label="Loading..." />}
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={end.isPending}
            onEnd={() => end.mutate({ id: session.id })}
          />
        ))}
      </ul>
    </Card>
  )
}

/** The own name, password and sessions. */
export function AccountScreen() {
  return (
    <Page title="Account" subtitle="Your name, your password, your devices.">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <NameForm />
        <PasswordForm />
      </div>
      <Sessions />
    </Page>
  )
}
