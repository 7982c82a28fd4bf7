/**
 * A name among other words: one that has no space would make what it stands in wider than the screen, and one that is read from the
 * right would take the numbers behind it along.
 */
export function Who({ name }: { name: string }) {
  return <bdi className="wrap-anywhere">{name}</bdi>
}
