import {
  changeRole,
  deactivateUser,
  getTeam,
  makePasswordLink,
  reactivateUser,
  signOutEverywhere,
  type TeamMember,
} from '@inventory-manager/contract/accounts/team-endpoints'
import { howMany } from '@inventory-manager/contract/numbers'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { paths } from '../lib/paths.ts'
import { updateUser } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { firstClick } from '../ui/first-click.ts'
import { useListFocus } from '../ui/use-list-focus.ts'
import { OneTimeLink, type MadeLink } from './one-time-link.tsx'

/** An act of an administrator: its button, what it means, and the call, which gives the sentence afterwards. */
type Act = { label: string; text: string; danger?: boolean; run: () => Promise<string> }

function roleAct({ id, name, role }: TeamMember, own: boolean): Act {
  async function toRole(next: TeamMember['role']): Promise<void> {
    await call(changeRole, { params: { id }, body: { role: next } })
    // This screen is none of theirs any more, and would be refused what it shows.
    if (own) updateUser({ role: next })
  }
  if (role === 'admin') {
    return {
      label: 'Make a user',
      text: 'Administrators decide on differences, manage the team and the company.',
      run: () => toRole('user').then(() => `${name} is a user now.`),
    }
  }
  return {
    label: 'Make an administrator',
    text: 'Users count, print labels and see the audit trail.',
    run: () => toRole('admin').then(() => `${name} is an administrator now.`),
  }
}

function signOutAct({ id }: TeamMember, own: boolean): Act {
  const sessions = own ? 'Ends your sessions on every device, this one too.' : 'Ends every session of theirs.'
  return {
    label: 'Sign out everywhere',
    text: `${sessions} Counts that wait on a device are sent after the next sign-in.`,
    async run() {
      const { ended } = await call(signOutEverywhere, { params: { id } })
      return `${howMany(ended, 'session')} ended.`
    },
  }
}

function activeAct({ id, name, active }: TeamMember): Act {
  if (active) {
    return {
      label: 'Deactivate',
      text: 'They can no longer sign in: let them send first what waits on their devices, and ask somebody else to count what they were asked to. Their seat is free, and other companies may invite them. What they did stays on record.',
      danger: true,
      run: () => call(deactivateUser, { params: { id } }).then(() => `${name} can no longer sign in.`),
    }
  }
  return {
    label: 'Reactivate',
    text: 'They can sign in again with their password. It takes a seat.',
    run: () => call(reactivateUser, { params: { id } }).then(() => `${name} can sign in again.`),
  }
}

type MemberDialogProps = { member: TeamMember; own: boolean; mail: boolean; onClose: () => void }

/** What an administrator can do about one user. Each takes effect at once, on every device. */
export function MemberDialog({ member, own, mail, onClose }: MemberDialogProps) {
  const [link, setLink] = useState<MadeLink | null>(null)
  const [notice, setNotice] = useState('')
  const act = useMutation({
    mutationFn: (work: () => Promise<string>) =>
      readAnewAfter(
        async () => setNotice(await work()),
        () => readAnew(getTeam.path),
      ),
    onMutate: () => setNotice(''),
  })
  const list = useListFocus<HTMLUListElement>(act.isPending ? null : 1)
  if (link !== null) {
    return (
      <Dialog title={`New password for ${member.name}`} onClose={onClose}>
        <OneTimeLink path={paths.newPassword} link={link} email={member.email} />
      </Dialog>
    )
  }
  const linkAct: Act = {
    label: 'Make a password link',
    text: `A link by which they set a new password. It works once.${mail ? ' It is also mailed to them.' : ''}`,
    async run() {
      setLink(await call(makePasswordLink, { params: { id: member.id }, body: { mail } }))
      return ''
    },
  }
  const whileActive = member.active ? [roleAct(member, own), signOutAct(member, own), linkAct] : []
  const acts = own ? whileActive : [...whileActive, activeAct(member)]
  return (
    <Dialog title={member.name} onClose={onClose}>
      <p className="text-sm wrap-anywhere text-muted">{member.email}</p>
      <div className="mt-3 empty:hidden">
        {act.error !== null && <Fault text={messageOf(act.error)} />}
        {notice !== '' && <Banner tone="good">{notice}</Banner>}
      </div>
      <ul ref={list} tabIndex={-1} aria-label="What you can do" className="mt-2 divide-y divide-line">
        {acts.map(({ label, text, danger, run }) => (
          <li key={label} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <p className="max-w-sm min-w-0 flex-1 basis-60 text-sm text-muted">{text}</p>
            <Button
              look={danger === true ? 'danger' : 'secondary'}
              disabled={act.isPending}
              onClick={firstClick(() => act.mutate(run))}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
