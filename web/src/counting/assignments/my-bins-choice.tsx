import { getMyBins } from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { asTimePassesMs } from '../../api/as-time-passes.ts'
import { call } from '../../api/client.ts'
import { formatNumber } from '../../lib/numbers.ts'
import { useLocatedSession } from '../../session/session.ts'
import { Checkbox } from '../../ui/field.tsx'
import { learnMyBins, useMyBins } from './my-bins.ts'

/** Keeps learning which bins of the location whoever is signed in is asked to count. */
function useLearning(): void {
  const { location } = useLocatedSession()
  const { data } = useQuery({
    queryKey: [getMyBins.path, location],
    queryFn: ({ signal }) => call(getMyBins, { query: { location } }, { signal }),
    refetchInterval: asTimePassesMs,
  })
  useEffect(() => {
    if (data !== undefined) learnMyBins(location, data.bins)
  }, [data, location])
}

type MyBinsChoiceProps = {
  /** How much of a list lies in these bins, and how much of that is counted. */
  total: number
  counted: number
}

/** Whether a list shows only the bins that somebody is asked to count, and how far they are; nothing where that is all of a location. */
export function MyBinsChoice({ total, counted }: MyBinsChoiceProps) {
  const { bins, isOnly, setOnly } = useMyBins()
  useLearning()
  if (bins.length === 0) return null
  return (
    <>
      <Checkbox label="My bins" checked={isOnly} onChange={({ target }) => setOnly(target.checked)} />
      {isOnly && (
        <p className="w-full pb-2 text-sm wrap-anywhere tabular-nums">
          You are asked to count {binsInWords(bins)}
          {total === 0
            ? `, which ${bins.length === 1 ? 'is' : 'are'} empty.`
            : `: ${formatNumber(counted)} of ${formatNumber(total)} counted.`}
        </p>
      )}
    </>
  )
}
