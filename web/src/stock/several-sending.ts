import { places, placesIn, type Place } from '@inventory-manager/contract/stock/places'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { PlanKey } from '@inventory-manager/contract/plans'
import { sendTransfer } from '@inventory-manager/contract/stock/transfer-endpoints'
import { call } from '../api/client.ts'
import { firstKnown } from '../api/first-known.ts'
import { codesToAsk } from '../scanning/meant.ts'
import { placeName } from '../session/place-names.ts'
import { amountForm, changes, piecesOf, type Asking, type Change } from './several-changes.ts'
import type { Line } from './several-lines.ts'

const valueOf = (to: Place) => `send_${to}`

/** Sends the amounts of a list to another place. */
function sendTo(to: Place): Change {
  const target = placeName(to)
  const departuresOf = (line: Line, { company, location }: Asking) => {
    const [first = ''] = line.cells
    const quantity = piecesOf(line)
    return codesToAsk(first, company).map((barcode) => ({ barcode, from: location, to, quantity }))
  }
  const then =
    to === 'QUARANTINE'
      ? 'They are in quarantine at once.'
      : `They are on their way to ${target} until they are received there.`

  return {
    value: valueOf(to),
    label: `Send to ${target}`,
    field: 'Barcodes and amounts',
    hint: (place) => `On each line: a barcode, then how many pieces leave ${place}, ${amountForm} ${then}`,
    form: 'amount',
    unit: 'line',
    told: (lines, place) => `${lines} sent from ${place} to ${target}.`,
    work: async (line, given) => {
      const { once, signal } = given
      await firstKnown(departuresOf(line, given), (body) =>
        once(body, (idempotencyKey) => call(sendTransfer, { body }, { idempotencyKey, signal })),
      )
    },
    left: (place) =>
      place === target
        ? 'To send what is left of it, change back to that location.'
        : `What is left of it is now sent from ${place}.`,
    bookings: { ofLine: departuresOf, where: (location) => ({ location, to }) },
  }
}

type At = { plan: PlanKey; location: LocationCode }

/**
 * What can be done at a location, from where stock can be sent to the other places of the plan. What was `chosen` stays there, also where
 * it cannot be done here: its list would be taken for another one's.
 */
export function changesAt({ plan, location }: At, chosen: string | null): readonly Change[] {
  const offered = placesIn(plan).filter((place) => place !== location)
  const targets = places.filter((place) => offered.includes(place) || valueOf(place) === chosen)
  const after = changes.findIndex(({ value }) => value === 'issue') + 1
  return [...changes.slice(0, after), ...targets.map(sendTo), ...changes.slice(after)]
}
