import {
  listAisles,
  type Aisle,
  type Assignment,
} from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import { readBins, writeBins } from '@inventory-manager/contract/stock/bin-names'
import { within } from '@inventory-manager/contract/stock/bins'
import { useQuery } from '@tanstack/react-query'
import { useId, type ComponentProps } from 'react'
import { call } from '../../api/client.ts'
import { skus } from '../../lib/numbers.ts'
import { BinsField } from './bins-field.tsx'

/** Who counts what begins with a name: all of it, or partly. */
function whoCounts(name: string, asked: readonly Assignment[]): string[] {
  return asked.flatMap(({ user_name: person, bins = [] }) => {
    if (bins.length === 0 || within(bins)(name)) return [person]
    return bins.some(within([name])) ? [`partly ${person}`] : []
  })
}

type AisleRowProps = {
  aisle: Aisle
  asked: readonly Assignment[]
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function AisleRow({ aisle: { name, total }, asked, isChosen, onChoose }: AisleRowProps) {
  const people = whoCounts(name, asked)
  return (
    <li>
      <label className="flex min-h-12 items-center gap-3 text-base lg:min-h-9 lg:text-sm">
        <input
          type="checkbox"
          aria-label={name}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
          className="size-5 shrink-0 accent-accent lg:size-4"
        />
        <span className="min-w-0 flex-1">
          <span className="font-medium wrap-anywhere">{name}</span>{' '}
          <span className="text-sm wrap-anywhere text-muted tabular-nums">
            {skus(total)}
            {people.length > 0 && `, ${people.join(', ')}`}
          </span>
        </span>
      </label>
    </li>
  )
}

type AssignBinsProps = ComponentProps<typeof BinsField> & {
  location: string
  asked: readonly Assignment[]
}

/** Which bins of a location somebody counts: chosen of what they begin with, or typed. Nothing where nobody said what lies where. */
export function AssignBins({ location, asked, ...field }: AssignBinsProps) {
  const labelId = useId()
  const { data } = useQuery({
    queryKey: [listAisles.path, location],
    queryFn: ({ signal }) => call(listAisles, { query: { location } }, { signal }),
  })
  const aisles = data?.aisles.filter(({ name }) => name !== '') ?? []
  // Who divides by bins that are gone by now has to be able to change it.
  const isDivided = asked.some(({ bins = [] }) => bins.length > 0)
  if (aisles.length === 0 && !isDivided) return null
  const names = readBins(field.value)

  function choose(name: string, isChosen: boolean): void {
    const others = names.filter((other) => other.toLowerCase() !== name.toLowerCase())
    field.onChange(writeBins(isChosen ? [...others, name] : others))
  }

  return (
    <div className="flex flex-col gap-2">
      {aisles.length > 0 && (
        <>
          <p id={labelId} className="text-sm font-medium">
            Bins begin with
          </p>
          <ul
            aria-labelledby={labelId}
            className="grid gap-x-4 rounded-control border border-line px-3 sm:max-h-64 sm:grid-cols-2 sm:overflow-y-auto"
          >
            {aisles.map((aisle) => (
              <AisleRow
                key={aisle.name}
                aisle={aisle}
                asked={asked}
                isChosen={names.some((name) => name.toLowerCase() === aisle.name.toLowerCase())}
                onChoose={(isChosen) => choose(aisle.name, isChosen)}
              />
            ))}
          </ul>
        </>
      )}
      <BinsField {...field} />
    </div>
  )
}
