import { compareBins, within } from '@inventory-manager/contract/stock/bins'
import { soughtWords } from '@inventory-manager/contract/stock/sought-words'

export type Indexed = { barcode: string; aliases?: readonly string[] | undefined }
/** With where it lies, if anybody said so. */
export type Findable = Indexed & { description: string; bin?: string | undefined }
type Places = ReadonlyMap<string, number>

const indexes = new WeakMap<readonly Indexed[], Places>()

/** Where in a list each code stands: own barcodes, and other ones that are nobody's own. Made once for a list, and for all lists that `withChanged` makes of it. */
export function placesOf(list: readonly Indexed[]): Places {
  const known = indexes.get(list)
  if (known !== undefined) return known
  const places = new Map<string, number>()
  list.forEach(({ aliases }, place) => aliases?.forEach((alias) => places.set(alias, place)))
  list.forEach(({ barcode }, place) => places.set(barcode, place))
  indexes.set(list, places)
  return places
}

/** The list with the items of these codes changed, but not what they are found by; the list itself where none is another. */
export function withChanged<T extends Indexed>(
  list: readonly T[],
  codes: Iterable<string>,
  change: (item: T) => T,
): readonly T[] {
  const places = placesOf(list)
  let changed: T[] | null = null
  for (const code of codes) {
    const place = places.get(code)
    const item = place === undefined ? undefined : list[place]
    if (place === undefined || item === undefined) continue
    const now = change(item)
    if (now === item) continue
    changed ??= [...list]
    changed[place] = now
  }
  if (changed === null) return list
  indexes.set(changed, places)
  return changed
}

/** Makes something of a list once: all lists that `withChanged` makes of it have it, too. */
function madeOnce<R>(make: (list: readonly Findable[]) => R): (list: readonly Findable[]) => R {
  const made = new WeakMap<Places, { of: R }>()
  return (list) => {
    const places = placesOf(list)
    let known = made.get(places)
    if (known === undefined) made.set(places, (known = { of: make(list) }))
    return known.of
  }
}

/** What each item of a list is found by; made once, not for each letter. */
const textsOf = madeOnce((list) =>
  list.map(({ barcode, description, bin = '', aliases = [] }) =>
    [barcode, description, bin, ...aliases].join('\n').toLowerCase(),
  ),
)

export const hasBins = madeOnce((list) => list.some(({ bin }) => bin !== undefined))

/** The bins of a list, as they are written there, by their names in small letters. */
export const binsOf = madeOnce(
  (list): ReadonlyMap<string, string> =>
    new Map(list.flatMap(({ bin }) => (bin === undefined ? [] : [[bin.toLowerCase(), bin]]))),
)

/** What a list can be searched for. */
export function soughtIn(list: readonly Findable[]): string {
  return hasBins(list) ? 'Code, description or bin' : 'Code or description'
}

/** The bins of all lists, as people walk: a list that is loaded anew mostly has no others, and sorting thousands takes long. */
let walked: ReadonlySet<string> = new Set()

/** The places of a list's items from bin to bin; those of one bin as they stand in the list. */
export const placesByBin = madeOnce((list): readonly number[] => {
  const bins = new Map<string, number[]>()
  list.forEach(({ bin = '' }, place) => {
    const name = bin.toLowerCase()
    const inBin = bins.get(name)
    if (inBin === undefined) bins.set(name, [place])
    else inBin.push(place)
  })
  const others = [...bins.keys()].filter((bin) => !walked.has(bin))
  if (others.length > 0) walked = new Set([...walked, ...others].toSorted(compareBins))
  const places: number[] = []
  for (const bin of walked) bins.get(bin)?.forEach((place) => places.push(place))
  return places
})

/** The items at some places of a list, in their order. With each mark anew: a loop is ten times as quick as `flatMap`. */
function pick<T>(list: readonly T[], places: Iterable<number>, isWanted: (place: number) => boolean): T[] {
  const picked: T[] = []
  for (const place of places) {
    const item = list[place]
    if (item !== undefined && isWanted(place)) picked.push(item)
  }
  return picked
}

/** What is shown of a list, and in which order. */
export type Choice = {
  isByBin: boolean
  /** Only what lies in these, '' for none; null for everything. */
  bins: readonly string[] | null
}

/** As last chosen of a list: each scan makes another one of the same places. */
const chosen = new WeakMap<Places, { as: string; places: readonly number[] }>()

/** The places of what is chosen of a list, in their order; undefined where it is the list as it stands. */
export function placesChosen(list: readonly Findable[], { isByBin, bins }: Choice) {
  const order = isByBin ? placesByBin(list) : undefined
  if (bins === null) return order
  const as = `${isByBin} ${bins.join('\n')}`
  const known = chosen.get(placesOf(list))
  if (known?.as === as) return known.places
  const isWanted = within(bins)
  const places = [...(order ?? list.keys())].filter((place) => isWanted(list[place]?.bin ?? ''))
  chosen.set(placesOf(list), { as, places })
  return places
}

/** The items of a list at some places, in their order. */
export function itemsAt<T extends Findable>(list: readonly T[], places: readonly number[]): readonly T[] {
  return pick(list, places, () => true)
}

/** The items of a list from bin to bin. */
export function byBin<T extends Findable>(list: readonly T[]): readonly T[] {
  return hasBins(list) ? itemsAt(list, placesByBin(list)) : list
}

/** The items that lie in a bin or what belongs to it, in the order of places. */
export function inBin<T extends Findable>(
  list: readonly T[],
  bin: string,
  places: Iterable<number> = list.keys(),
): T[] {
  const isWanted = within([bin])
  return pick(list, places, (place) => isWanted(list[place]?.bin ?? ''))
}

/** The items that hold each word of a typed text in any code, the description or the bin, in the order of places; null where nothing is typed. */
export function search<T extends Findable>(
  list: readonly T[],
  typed: string,
  places: Iterable<number> = list.keys(),
): T[] | null {
  const [first, ...others] = soughtWords(typed)
  if (first === undefined) return null
  const texts = textsOf(list)
  return pick(list, places, (place) => {
    const text = texts[place]
    return text?.includes(first) === true && others.every((word) => text.includes(word))
  })
}
