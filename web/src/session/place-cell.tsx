import { placeName } from './place-names.ts'

/** A place in a table: a name that has no space would make it wider than the screen, and words that fit stay whole. */
export function PlaceCell({ place }: { place: string }) {
  return <span className="inline-block min-w-24 wrap-anywhere max-sm:text-right">{placeName(place)}</span>
}
