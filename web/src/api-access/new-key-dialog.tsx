import { createApiKey, listApiKeys } from '@inventory-manager/contract/api-keys/endpoints'
import { scopeMeanings, scopes, type Scope } from '@inventory-manager/contract/scopes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { ShownOnce } from './shown-once.tsx'

/** Asks for a name and scopes, then shows the key. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read'])
  const once = useOnce()
  const making = useMutation({
    mutationFn: () => {
      const body = { name, scopes: [...chosen] }
      return once(body, (idempotencyKey) => call(createApiKey, { body }, { idempotencyKey }))
    },
    // A key whose answer was lost stands in the list, for its removal.
    onSettled: () => void client.invalidateQueries({ queryKey: [listApiKeys.path] }).catch(reportError),
  })
  if (making.data !== undefined) {
    return (
      <Dialog title="New API key" onClose={onClose}>
        <ShownOnce
          label={`Key for ${name.trim()}`}
          secret={making.data.key}
          hint="Send it as: Authorization: Bearer, followed by the key."
        />
      </Dialog>
    )
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          making.mutate()
        }}
      >
        {making.error !== null && <Fault text={messageOf(making.error)} />}
        <TextField
          label="Name"
          hint="What will use it. The name is shown in the audit trail."
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">What it may do</legend>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={`${scope}: ${scopeMeanings[scope]}`}
              checked={chosen.includes(scope)}
              onChange={(event) =>
                setChosen(event.target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
              }
            />
          ))}
        </fieldset>
        <Button look="primary" submits disabled={making.isPending}>
          Make the key
        </Button>
      </form>
    </Dialog>
  )
}
