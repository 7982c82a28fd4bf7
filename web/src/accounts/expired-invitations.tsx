import type { ExpiredInvitation } from '@inventory-manager/contract/accounts/team-endpoints'
import { formatDateTime } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { Who } from '../ui/who.tsx'
import { roleLabels } from './role-labels.ts'

type ExpiredInvitationsProps = {
  invitations: readonly ExpiredInvitation[]
  /** A dialog has the focus. */
  isAsking: boolean
  onInvite: (invitation: ExpiredInvitation) => void
}

function columnsFor(onInvite: ExpiredInvitationsProps['onInvite']): readonly Column<ExpiredInvitation>[] {
  return [
    { head: 'Email', cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
    { head: 'Role', cell: ({ role }) => roleLabels[role] },
    { head: 'Invited by', cell: (invitation) => <Who name={invitation.created_by} /> },
    {
      head: 'Expired',
      cell: (invitation) => <span className="tabular-nums">{formatDateTime(invitation.expires_at)}</span>,
    },
    {
      head: 'Change',
      cell: (invitation) => (
        <Button aria-label={`Invite ${invitation.email} again`} onClick={() => onInvite(invitation)}>
          Invite again
        </Button>
      ),
    },
  ]
}

/** Who was invited within the last weeks and has not joined. */
export function ExpiredInvitations({ invitations, isAsking, onInvite }: ExpiredInvitationsProps) {
  const list = useListFocus<HTMLDivElement>(isAsking ? null : invitations.length)
  if (invitations.length === 0) return null
  return (
    <Card title="Expired invitations" flush>
      <div ref={list} tabIndex={-1} role="group" aria-label="Expired invitations">
        <DataTable
          label="Expired invitations"
          columns={columnsFor(onInvite)}
          rows={invitations}
          keyOf={({ id }) => id}
        />
      </div>
    </Card>
  )
}
