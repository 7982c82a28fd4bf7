import { loginMessages } from '@inventory-manager/contract/accounts/messages'
import { isEmail } from '@inventory-manager/contract/accounts/rules'
import { getTeam, invite } from '@inventory-manager/contract/accounts/team-endpoints'
import { roles, type Role } from '@inventory-manager/contract/roles'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { Checkbox, SelectField, TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { OneTimeLink } from './one-time-link.tsx'
import { roleLabels } from './role-labels.ts'

const roleOptions = roles.toReversed().map((role) => ({ value: role, label: roleLabels[role] }))

export type Invited = { email: string; role: Role }

type InviteDialogProps = {
  mail: boolean
  /** Whose invitation has expired. */
  again: Invited | null
  onClose: () => void
}

/** Asks for address and role, then shows the link to pass on. */
export function InviteDialog({ mail, again, onClose }: InviteDialogProps) {
  const client = useQueryClient()
  const [email, setEmail] = useState(again?.email ?? '')
  const [role, setRole] = useState<Role>(again?.role ?? 'user')
  const [byMail, setByMail] = useState(mail)
  const { faults, accept, forget } = useFaults<'email'>()
  const inviting = useMutation({
    mutationFn: (address: string) => call(invite, { body: { email: address, role, mail: byMail } }),
    // The link is there at once, whenever the list behind it is.
    onSuccess: () => void client.invalidateQueries({ queryKey: [getTeam.path] }).catch(reportError),
  })
  if (inviting.data !== undefined) {
    return (
      <Dialog title="Invitation" onClose={onClose}>
        <OneTimeLink path={paths.invitation} link={inviting.data} email={inviting.variables.toLowerCase()} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const found = isEmail(email) ? {} : { email: loginMessages.emailFormat }
          if (accept(found, event.currentTarget)) inviting.mutate(email.trim())
          else inviting.reset()
        }}
      >
        {inviting.error !== null && <Fault text={messageOf(inviting.error)} />}
        <TextField
          label="Email"
          type="email"
          name="email"
          hint="They sign in with it. It need not be able to receive mail."
          value={email}
          error={faults.email}
          onChange={(event) => {
            setEmail(event.target.value)
            forget({ email })
          }}
        />
        <SelectField
          label="Role"
          options={roleOptions}
          value={role}
          onChange={(event) => setRole(roles.find((known) => known === event.target.value) ?? 'user')}
        />
        {mail && (
          <Checkbox
            label="Send the link by mail"
            checked={byMail}
            onChange={(event) => setByMail(event.target.checked)}
          />
        )}
        <Button look="primary" submits disabled={inviting.isPending}>
          Make the invitation
        </Button>
      </form>
    </Dialog>
  )
}
