import { z } from '@inventory-manager/contract/zod'
import { changeSettings } from '@inventory-manager/contract/company/settings-change-endpoints'
import { getSettings } from '@inventory-manager/contract/company/settings-endpoints'
import type { EndpointCall } from '@inventory-manager/contract/endpoint'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { askAsPresent, updateUser } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'

type Change = EndpointCall<typeof changeSettings>['body']

/** Saves a change of settings and shows it everywhere in this page. */
function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) =>
      askAsPresent(
        () => call(changeSettings, { body: change }),
        ({ settings }) => {
          client.setQueryData([getSettings.path], settings)
          const { name: companyName, administration: { location_names: locationNames } = {} } = settings
          // A server of the version before tells none, and changes none.
          updateUser({ companyName, ...(locationNames === undefined ? {} : { locationNames }) })
        },
      ),
    // Figures by day and month follow the time zone; that it is saved is said without waiting for them.
    onSuccess: () =>
      void client
        .invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getSettings.path })
        .catch(reportError),
  })
}

/** What stands in fields: what is stored, and over it what somebody has entered here. */
export function useDraft<T extends object>(stored: T) {
  const [draft, setDraft] = useState<Partial<T>>({})
  return {
    fields: { ...stored, ...draft },
    enter: (part: Partial<T>) => setDraft({ ...draft, ...part }),
    /** Lets go of what is stored now, but not of what was entered since. */
    release: () => setDraft((now) => (now === draft ? {} : now)),
  }
}

/** What of the values is another than what is stored: the rest may be out of date, and is nobody's wish. */
function differing(values: Change, stored: Change): Change {
  const change = { ...values }
  for (const name of z.keyof(changeSettings.body).options) {
    if (change[name] === stored[name]) delete change[name]
  }
  return change
}

type SettingsFormProps = {
  title: string
  /** Null while what stands in the fields is not valid; the fields say why. */
  values: Change | null
  stored: Change
  onSaved: () => void
  children: ReactNode
}

/** A card of settings that are saved together. */
export function SettingsForm({ title, values, stored, onSaved, children }: SettingsFormProps) {
  const save = useSaveSettings()
  const changed = values === null ? null : differing(values, stored)
  const isStored = changed !== null && Object.keys(changed).length === 0
  return (
    <Card title={title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (changed !== null) save.mutate(changed, { onSuccess: onSaved })
        }}
      >
        {children}
        {save.error !== null && <Fault text={messageOf(save.error)} />}
        {save.isSuccess && isStored && <Banner tone="good">Saved.</Banner>}
        <div>
          <Button look="primary" submits disabled={save.isPending || values === null}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  )
}
