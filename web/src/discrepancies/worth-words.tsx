import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { Fragment } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { worthOf, worthOfAll, type WorthOfAll } from './worth.ts'

/** A line would else end between a sign and its amount. */
function Amount({ text }: { text: string }) {
  return <span className="whitespace-nowrap">{text}</span>
}

type WorthProps = { item: Discrepancy; currency: string | null }

/** What a difference is worth, after its pieces in a sentence; nothing where that is not known. */
export function AndWorth({ item, currency }: WorthProps) {
  const worth = worthOf(item, currency)
  if (worth === null) return null
  return (
    <>
      , <Amount text={worth} />
    </>
  )
}

/** By how much money some differences differ, and of how many that is not known. */
export function Amounts({ amounts, unknown }: WorthOfAll) {
  return (
    <>
      {amounts.map((amount, index) => (
        <Fragment key={amount}>
          {index > 0 && ' and '}
          <Amount text={amount} />
        </Fragment>
      ))}
      {unknown > 0 && `, ${formatNumber(unknown)} without a unit cost`}
    </>
  )
}

type SeveralProps = { items: readonly Discrepancy[]; currency: string | null }

/** What several differences come to in money; nothing where there is one, or that is known of none. */
export function TheyDiffer({ items, currency }: SeveralProps) {
  const worth = items.length > 1 ? worthOfAll(items, currency) : null
  if (worth === null) return null
  return (
    <p>
      They differ by <Amounts {...worth} />.
    </p>
  )
}
