import { locations } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import { planOffers } from '@inventory-manager/contract/plans'
import type { UnknownCodeStatus } from '@inventory-manager/contract/unknown-codes/endpoints'
import { unknownCodeMessages } from '@inventory-manager/contract/unknown-codes/messages'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { textTones } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { focusHeading, Page } from '../ui/page.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { useActions, useUnknownCodes, type Actions } from './queries.ts'
import { UnknownCodeList } from './unknown-code-list.tsx'

const statuses = [
  { value: 'open', label: 'To decide' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'component', label: 'Became components' },
] as const

const emptyTitles: Record<UnknownCodeStatus, string> = {
  open: 'No unknown codes',
  ignored: 'No code is ignored',
  component: 'No code became a component yet',
}

const emptyWords: Record<UnknownCodeStatus, string> = {
  open: 'A code that is scanned in a count and belongs to no component appears here.',
  ignored: 'What is ignored in the list of those to decide appears here.',
  component: 'What becomes a component, or another barcode of one, appears here.',
}

/** A button that may not be pressed meanwhile, and then may be gone, leaves the focus to nothing. */
async function keepFocus(work: Promise<void>): Promise<void> {
  await work
  if (document.activeElement === document.body) focusHeading()
}

/** What came of the last press, beside the title of the list. */
function Said({ actions }: { actions: Actions }) {
  const { said, reopen } = actions
  const undo = said?.undo
  return (
    <p role="status" className="flex min-h-6 flex-wrap items-center gap-x-4 text-sm font-medium">
      {said !== null && <span className={textTones[said.tone]}>{said.text}</span>}
      {said?.sku !== undefined && (
        <Link href={componentPath(said.sku)} className="text-accent-text underline">
          Show {said.sku}
        </Link>
      )}
      {undo !== undefined && (
        <button
          type="button"
          disabled={actions.busy}
          className="min-h-12 min-w-12 underline lg:min-h-6"
          onClick={() => void keepFocus(reopen(undo, 'Back in the list.')).catch(reportError)}
        >
          Undo
        </button>
      )}
    </p>
  )
}

type CodesProps = {
  list: ReturnType<typeof useUnknownCodes>
  status: UnknownCodeStatus
  location: string
  actions: Actions
}

function NoneListed({ status, location }: { status: UnknownCodeStatus; location: string }) {
  if (location !== '') return <EmptyState title={emptyTitles[status]}>Nothing passes the filters.</EmptyState>
  return <EmptyState title={emptyTitles[status]}>{emptyWords[status]}</EmptyState>
}

function Codes({ list, status, location, actions }: CodesProps) {
  const failure = list.error === null ? null : unknownCodeMessages.loading(messageOf(list.error))
  return (
    <>
      <ListFailure list={list} failure={failure} />
      {(list.data !== undefined || failure === null) && (
        <Card
          title={list.isLoading ? 'Codes' : howMany(list.total, 'code')}
          aside={<Said actions={actions} />}
          flush
        >
          {list.isLoading && <LoadingRows label="Loading unknown codes..." rows={5} />}
          {list.isNone && <NoneListed status={status} location={location} />}
          <UnknownCodeList codes={list.codes} actions={actions} />
          <ListEnd list={list} failure={failure} more="Show more" />
        </Card>
      )}
    </>
  )
}

/** Codes that were scanned and belong to no component: each becomes one, or another barcode of one, or is ignored. */
export function UnknownCodesScreen() {
  const { user } = useLocatedSession()
  const [status, setStatus] = useState<UnknownCodeStatus>('open')
  const [location, setLocation] = useState('')
  const list = useUnknownCodes(status, location)
  const actions = useActions()
  const places = locations.filter(({ code }) => planOffers(user.plan, code))
  const many = list.codes.length > 1 && status === 'open'
  return (
    <Page
      title="Unknown Codes"
      subtitle="Scanned, but not known: make a component of each, add it to one as another barcode, or ignore it."
      actions={
        many ? (
          <Button
            disabled={actions.busy || list.isPlaceholderData}
            onClick={() => void keepFocus(actions.ignore(list.codes)).catch(reportError)}
          >
            Ignore all {formatNumber(list.codes.length)} shown
          </Button>
        ) : undefined
      }
    >
      <Card>
        <div className="grid gap-3 sm:grid-cols-2 lg:max-w-xl">
          <SelectField
            label="Status"
            options={statuses}
            value={status}
            onChange={(event) =>
              setStatus(statuses.find(({ value }) => value === event.target.value)?.value ?? 'open')
            }
          />
          <SelectField
            label="Location"
            options={[
              { value: '', label: 'All locations' },
              ...places.map(({ code }) => ({ value: code, label: placeName(code) })),
            ]}
            value={location}
            onChange={(event) => setLocation(event.target.value)}
          />
        </div>
      </Card>
      <Codes list={list} status={status} location={location} actions={actions} />
    </Page>
  )
}
