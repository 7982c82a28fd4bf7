type Indexed = { barcode: string }
type Findable = { barcode: string; description: string }
type Places = ReadonlyMap<string, number>

const indexes = new WeakMap<readonly Indexed[], Places>()

/** Where in a list each code stands. Made once for a list, and for all lists that `withChanged` makes of it. */
export function placesOf(list: readonly Indexed[]): Places {
  const known = indexes.get(list)
  if (known !== undefined) return known
  const places = new Map(list.map(({ barcode }, place) => [barcode, place]))
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

const searched = new WeakMap<Places, readonly string[]>()

/** What each item of a list is found by; made once, not for each letter. */
function textsOf(list: readonly Findable[]): readonly string[] {
  const places = placesOf(list)
  const known = searched.get(places)
  if (known !== undefined) return known
  const texts = list.map(({ barcode, description }) => `${barcode}\n${description}`.toLowerCase())
  searched.set(places, texts)
  return texts
}

/** The items that a typed text finds by code or description; null where nothing is typed. */
export function search<T extends Findable>(list: readonly T[], typed: string): T[] | null {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return null
  const texts = textsOf(list)
  return list.filter((_, place) => texts[place]?.includes(wanted))
}
