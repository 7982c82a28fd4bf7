import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { howMany } from '@inventory-manager/contract/numbers'
import type { dashboard } from '@inventory-manager/contract/overview/endpoints'
import { getPlan } from '@inventory-manager/contract/plans'
import { Link } from 'wouter'
import { paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { buttonClasses } from '../ui/button.tsx'

type Subscription = EndpointReply<typeof dashboard>['subscription']

const warningDays = 3

function sentenceFor({
  plan,
  status,
  ended,
  provider,
  trial_days_remaining: days,
}: Subscription): string | null {
  if (ended) return 'Your subscription has ended. Choose a plan to continue.'
  if (status === 'trial_expired') return 'Your free trial has ended. Choose a plan to continue.'
  if (days < 1 || days > warningDays) return null
  const end = `Your free trial ends in ${howMany(days, 'day')}.`
  return provider === 'none'
    ? `${end} Your company then goes on with the ${getPlan(plan).name} plan, free of charge.`
    : end
}

/** The end of the trial, soon or past, or of the subscription, with the way on: for administrators a link, for others whom to ask. */
export function TrialNotice({ subscription }: { subscription: Subscription }) {
  const { user } = useLocatedSession()
  const sentence = sentenceFor(subscription)
  if (sentence === null) return null
  const isFree = subscription.provider === 'none'
  return (
    <Banner tone={subscription.status === 'trial_expired' ? 'bad' : 'warn'}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{sentence}</p>
        {user.role === 'admin' ? (
          <Link href={paths.plan} className={buttonClasses('primary')}>
            Upgrade Now
          </Link>
        ) : (
          !isFree && <p>Ask an administrator of your company to choose a plan.</p>
        )}
      </div>
    </Banner>
  )
}
