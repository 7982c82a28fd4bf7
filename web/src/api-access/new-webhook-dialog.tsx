import {
  createWebhook,
  listWebhooks,
  webhookEvents,
  type WebhookEvent,
} from '@inventory-manager/contract/webhooks/endpoints'
import { webhookUrl } from '@inventory-manager/contract/webhooks/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { eventLabels } from './event-labels.ts'
import { ShownOnce } from './shown-once.tsx'

const addressFault = 'Give an address that begins with https:// or http://, without a name, password or #.'

/** Asks for address and events, then shows the signing secret. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<readonly WebhookEvent[]>(webhookEvents)
  const { faults, accept, forget } = useFaults<'url'>()
  const once = useOnce()
  const adding = useMutation({
    mutationFn: () => {
      const body = { url, events: [...chosen] }
      return once(body, (idempotencyKey) => call(createWebhook, { body }, { idempotencyKey }))
    },
    // A webhook whose answer was lost stands in the list, for its removal.
    onSettled: () => void client.invalidateQueries({ queryKey: [listWebhooks.path] }).catch(reportError),
  })
  if (adding.data !== undefined) {
    return (
      <Dialog title="New webhook" onClose={onClose}>
        <ShownOnce
          label="Signing secret"
          secret={adding.data.secret}
          hint="The receiver uses it to check that a delivery comes from here (Standard Webhooks)."
        />
      </Dialog>
    )
  }
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const found = webhookUrl.safeParse(url).success ? {} : { url: addressFault }
          if (accept(found, event.currentTarget)) adding.mutate()
          else adding.reset()
        }}
      >
        {adding.error !== null && <Fault text={messageOf(adding.error)} />}
        <TextField
          label="Address"
          type="url"
          name="url"
          placeholder="https://example.com/inventory"
          hint="Where deliveries are posted, within seconds of what happened."
          error={faults.url}
          value={url}
          onChange={(event) => {
            setUrl(event.target.value)
            forget({ url })
          }}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">What it is told</legend>
          {webhookEvents.map((event) => (
            <Checkbox
              key={event}
              label={eventLabels[event]}
              checked={chosen.includes(event)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, event] : chosen.filter((one) => one !== event))
              }
            />
          ))}
        </fieldset>
        <Button look="primary" submits disabled={adding.isPending}>
          Add the webhook
        </Button>
      </form>
    </Dialog>
  )
}
