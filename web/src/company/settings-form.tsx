import { changeSettings, getSettings } from '@inventory-manager/contract/company/settings-endpoints'
import type { EndpointCall } from '@inventory-manager/contract/endpoint'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { updateUser } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

type Change = EndpointCall<typeof changeSettings>['body']

/** Saves a change of settings and shows it everywhere in this page. */
function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => call(changeSettings, { body: change }),
    onSuccess: async ({ settings }) => {
      client.setQueryData([getSettings.path], settings)
      updateUser({ companyName: settings.name })
      // Figures by day and month follow the time zone.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== getSettings.path })
    },
  })
}

type SettingsFormProps = {
  title: string
  /** Null while what stands in the fields is not valid; the fields say why. */
  change: Change | null
  children: ReactNode
}

/** A card of settings that are saved together. */
export function SettingsForm({ title, change, children }: SettingsFormProps) {
  const save = useSaveSettings()
  return (
    <Card title={title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (change !== null) save.mutate(change)
        }}
      >
        {children}
        {save.error !== null && <Banner tone="bad">{messageOf(save.error)}</Banner>}
        {save.isSuccess && <Banner tone="good">Saved.</Banner>}
        <div>
          <Button look="primary" submits disabled={save.isPending || change === null}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  )
}
