import {
  getTeam,
  revokeInvitation,
  type Invitation,
  type TeamMember,
} from '@inventory-manager/contract/accounts/team-endpoints'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { howMany } from '@inventory-manager/contract/numbers'
import { useMutation, useQuery } from '@tanstack/react-query'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { Fault } from '../ui/fault.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { Who } from '../ui/who.tsx'
import { ExpiredInvitations } from './expired-invitations.tsx'
import { InviteDialog, type Invited } from './invite-dialog.tsx'
import { MemberDialog } from './member-dialog.tsx'
import { roleLabels } from './role-labels.ts'

type Seats = EndpointReply<typeof getTeam>['places']

function Seats({ used, invited, limit }: Seats) {
  const taken = used + invited
  const isFull = limit !== null && taken >= limit
  const open = invited === 0 ? '' : `, ${formatNumber(invited)} of them by open invitations`
  if (limit === null) {
    return <p className="text-sm text-muted">{howMany(taken, 'user')}. Your plan has no limit.</p>
  }
  return (
    <div className="flex max-w-md flex-col gap-2">
      <p className="text-sm text-muted">
        {formatNumber(taken)} of {formatNumber(limit)} seats taken{open}.
      </p>
      <ProgressBar label="Seats taken" value={taken} max={limit} tone={isFull ? 'warn' : 'accent'} />
      {isFull && (
        <div>
          <Link href={paths.plan} className={buttonClasses('secondary')}>
            See the plans
          </Link>
        </div>
      )}
    </div>
  )
}

function Standing({ member }: { member: TeamMember }) {
  if (!member.active) return <Badge>Deactivated</Badge>
  return member.seated ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Read-only, no seat</Badge>
}

function memberColumns(ownId: string, onManage: (member: TeamMember) => void): readonly Column<TeamMember>[] {
  return [
    {
      head: 'Name',
      cell: (member) => (
        <span className="min-w-0 max-sm:text-right">
          <span className="block font-medium">
            <Who name={member.name} />
            {member.id === ownId && <span className="font-normal text-muted"> (you)</span>}
          </span>
          <span className="block text-sm wrap-anywhere text-muted">{member.email}</span>
        </span>
      ),
    },
    { head: 'Role', cell: (member) => roleLabels[member.role] },
    { head: 'State', cell: (member) => <Standing member={member} /> },
    {
      head: 'Last seen',
      cell: (member) => (
        <span className="tabular-nums">
          {member.last_seen === null ? 'Never' : formatDateTime(member.last_seen)}
        </span>
      ),
    },
    { head: 'Counts this month', cell: (member) => formatNumber(member.counts_this_month), numeric: true },
    {
      head: 'Change',
      cell: (member) => (
        <Button aria-label={`Manage ${member.name}`} onClick={() => onManage(member)}>
          Manage
        </Button>
      ),
    },
  ]
}

function invitationColumns(
  busy: boolean,
  onRevoke: (invitation: Invitation) => void,
): readonly Column<Invitation>[] {
  return [
    { head: 'Email', cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
    { head: 'Role', cell: ({ role }) => roleLabels[role] },
    { head: 'Invited by', cell: (invitation) => <Who name={invitation.created_by} /> },
    {
      head: 'Valid until',
      cell: (invitation) =>
        invitation.usable ? (
          <span className="tabular-nums">{formatDateTime(invitation.expires_at)}</span>
        ) : (
          <span>
            Not valid: {invitation.created_by} is no longer an administrator. Invite this address again.
          </span>
        ),
    },
    {
      head: 'Change',
      cell: (invitation) => (
        <Button
          disabled={busy}
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          onClick={() => onRevoke(invitation)}
        >
          Withdraw
        </Button>
      ),
    },
  ]
}

type Team = EndpointReply<typeof getTeam>
type Open = { dialog: 'invite'; again: Invited | null } | { dialog: 'member'; id: string } | null

function TeamDialog({ team, open, onClose }: { team: Team; open: Open; onClose: () => void }) {
  const { user } = useLocatedSession()
  if (open === null) return null
  if (open.dialog === 'invite') return <InviteDialog mail={team.mail} again={open.again} onClose={onClose} />
  const member = team.users.find(({ id }) => id === open.id)
  if (member === undefined) return null
  return <MemberDialog member={member} own={member.id === user.id} mail={team.mail} onClose={onClose} />
}

function Invitations({ invitations }: { invitations: Invitation[] }) {
  const revoking = useMutation({
    mutationFn: (id: string) =>
      readAnewAfter(
        () => call(revokeInvitation, { params: { id } }),
        () => readAnew(getTeam.path),
      ),
  })

  const list = useListFocus<HTMLDivElement>(revoking.isPending ? null : invitations.length)
  if (invitations.length === 0) return null
  return (
    <Card title="Open invitations" flush>
      {revoking.error !== null && <Fault text={messageOf(revoking.error)} />}
      <div ref={list} tabIndex={-1} role="group" aria-label="Open invitations">
        <DataTable
          label="Open invitations"
          columns={invitationColumns(revoking.isPending, ({ id }) => revoking.mutate(id))}
          rows={invitations}
          keyOf={({ id }) => id}
        />
      </div>
    </Card>
  )
}

/** Somebody who opens their invitation beside whoever made it is seen to join, and what other administrators change is shown; no news tell of either. */
const joiningMs = 5_000
const changingMs = 10_000

/** Who is in the company, and who is asked to be. */
export function TeamScreen() {
  const { user } = useLocatedSession()
  const [open, setOpen] = useState<Open>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [getTeam.path],
    queryFn: ({ signal }) => call(getTeam, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.invitations.length ? joiningMs : changingMs),
  })
  return (
    <Page
      title="Team"
      subtitle="Who signs in to your company, and as what."
      actions={
        <Button
          look="primary"
          disabled={data === undefined}
          onClick={() => setOpen({ dialog: 'invite', again: null })}
        >
          <UserPlus aria-hidden className="size-4" />
          Invite
        </Button>
      }
    >
      {error !== null && (
        <LoadFailure text={`Error loading the team: ${messageOf(error)}`} onRetry={refetch} />
      )}
      {data === undefined && error === null && (
        <Card flush>
          <LoadingRows label="Loading the team..." rows={3} />
        </Card>
      )}
      {data !== undefined && (
        <>
          <Seats {...data.places} />
          <Card title="Users" flush>
            <DataTable
              label="Users"
              columns={memberColumns(user.id, ({ id }) => setOpen({ dialog: 'member', id }))}
              rows={data.users}
              keyOf={({ id }) => id}
              cards="tablet"
            />
          </Card>
          <Invitations invitations={data.invitations} />
          <ExpiredInvitations
            invitations={data.expired_invitations ?? []}
            isAsking={open !== null}
            onInvite={(again) => setOpen({ dialog: 'invite', again })}
          />
          <TeamDialog team={data} open={open} onClose={() => setOpen(null)} />
        </>
      )}
    </Page>
  )
}
