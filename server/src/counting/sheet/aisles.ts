import { mostAisles, type Aisle } from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import { readBins } from '@inventory-manager/contract/stock/bin-names'
import { compareBins, letters } from '@inventory-manager/contract/stock/bins'
import type { BinCount } from './aisle-queries.ts'

type InBin = Omit<BinCount, 'location'>

/** What would be told apart into more is left whole: nobody looks through them. */
const mostParts = 40

/** A number or a word with what stands before it; what stands between them says nothing. */
const step = new RegExp(`[^0-9${letters}]*?(?:[0-9]+|[${letters}]+)`, 'uy')

/** What a name of a bin begins with, up to its nth number or word: 'A-03' of 'A-03-2' and 2; all of it where it has fewer. */
function beginningOf(bin: string, steps: number): string {
  const small = bin.toLowerCase()
  step.lastIndex = 0
  for (let taken = 0; taken < steps; taken += 1) {
    if (!step.test(small)) return bin
  }
  return bin.slice(0, step.lastIndex)
}

type Group = { name: string; steps: number; bins: InBin[]; total: number }

function groupsOf(bins: readonly InBin[], steps: number): Group[] {
  const groups = new Map<string, Group>()
  for (const each of bins) {
    const name = beginningOf(each.bin, steps)
    const key = name.toLowerCase()
    const group = groups.get(key) ?? { name, steps, bins: [], total: 0 }
    group.bins.push(each)
    group.total += each.total
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** A group by what its names go on with; itself where one of them does not, or where there is nothing to be told apart. */
function divide(group: Group, most: number): Group[] {
  const key = group.name.toLowerCase()
  if (group.bins.some(({ bin }) => bin.toLowerCase() === key)) return [group]
  const parts = groupsOf(group.bins, group.steps + 1)
  // Names are typed with commas between them.
  const isTypeable = parts.every(({ name }) => readBins(name).length === 1)
  return isTypeable && parts.length <= most ? parts : [group]
}

/**
 * What the bins of a location begin with, as people walk, and at the end, '', what has none. Where nearly all begin alike, as 'Shelf 1'
 * and 'Shelf 2' do, it is what they begin with up to where they differ.
 */
export function aislesOf(bins: readonly InBin[]): Aisle[] {
  const named = bins.filter(({ bin }) => bin !== '')
  const all = named.reduce((sum, { total }) => sum + total, 0)
  let groups = groupsOf(named, 1)
  for (;;) {
    const largest = groups.find(({ total }) => total * 4 > all * 3)
    if (largest === undefined) break
    const others = groups.filter((group) => group !== largest)
    const parts = divide(largest, mostParts - others.length)
    if (parts.includes(largest)) break
    groups = [...others, ...parts]
  }
  const counted = ({ bins: own }: { bins: readonly InBin[] }) =>
    own.reduce((sum, each) => sum + each.counted, 0)
  return [
    ...groups
      .toSorted((one, other) => compareBins(one.name, other.name))
      .slice(0, mostAisles)
      .map((group) => ({ name: group.name, total: group.total, counted: counted(group) })),
    ...bins
      .filter(({ bin }) => bin === '')
      .map((none) => ({ name: '', total: none.total, counted: none.counted })),
  ]
}
