import { listApiKeys } from '@inventory-manager/contract/api-keys/endpoints'
import { hasApiAccess, noApiAccess } from '@inventory-manager/contract/api-keys/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { listWebhooks, type Webhook } from '@inventory-manager/contract/webhooks/endpoints'
import { useQuery } from '@tanstack/react-query'
import BookOpen from 'lucide-react/icons/book-open'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Webhooks } from './webhooks.tsx'

const refreshMs = 10_000

type ListsProps = { keys: EndpointReply<typeof listApiKeys>; webhooks: Webhook[] }

/** What a larger plan would have work again, to be revoked and removed; nothing where there is none. */
function Leftovers({ keys: { keys, calls_per_minute: callsPerMinute }, webhooks }: ListsProps) {
  const working = keys.filter((key) => key.revoked_at === null)
  return (
    <>
      {working.length > 0 && <ApiKeys keys={working} callsPerMinute={callsPerMinute} inPlan={false} />}
      {webhooks.length > 0 && <Webhooks webhooks={webhooks} inPlan={false} />}
    </>
  )
}

function KeysAndWebhooks({ inPlan }: { inPlan: boolean }) {
  const keys = useQuery({
    queryKey: [listApiKeys.path],
    queryFn: ({ signal }) => call(listApiKeys, {}, { signal }),
    refetchInterval: refreshMs,
  })
  const webhooks = useQuery({
    queryKey: [listWebhooks.path],
    queryFn: ({ signal }) => call(listWebhooks, {}, { signal }),
    refetchInterval: refreshMs,
  })
  const error = keys.error ?? webhooks.error
  const isHere = keys.data !== undefined && webhooks.data !== undefined
  return (
    <>
      {error !== null && (
        <LoadFailure
          text={`Error loading API access: ${messageOf(error)}`}
          onRetry={() => Promise.all([keys.refetch(), webhooks.refetch()])}
        />
      )}
      {!isHere && error === null && <Loading label="Loading API access..." />}
      {isHere && !inPlan && <Leftovers keys={keys.data} webhooks={webhooks.data.webhooks} />}
      {isHere && inPlan && (
        <>
          <ApiKeys keys={keys.data.keys} callsPerMinute={keys.data.calls_per_minute} inPlan />
          <Webhooks webhooks={webhooks.data.webhooks} inPlan />
        </>
      )}
    </>
  )
}

/** Where other programs get in, and what they are told. */
export function ApiAccessScreen() {
  const { user } = useLocatedSession()
  const inPlan = hasApiAccess(user.plan)
  return (
    <Page
      title="API Access"
      subtitle="For other programs: keys to call the interface, and webhooks that tell them what happens."
      actions={
        <a href="/api/docs" target="_blank" rel="noreferrer" className={buttonClasses('secondary')}>
          <BookOpen aria-hidden className="size-4" />
          Reference
        </a>
      }
    >
      {!inPlan && (
        <Card>
          <EmptyState title="Not part of your plan">
            <p className="mb-4">{noApiAccess(user.plan)}</p>
            <Link href={paths.plan} className={buttonClasses('primary')}>
              See the plans
            </Link>
          </EmptyState>
        </Card>
      )}
      <KeysAndWebhooks inPlan={inPlan} />
    </Page>
  )
}
