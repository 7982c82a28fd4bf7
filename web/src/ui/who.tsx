/** A name in a table: one that has no space would make it wider than the screen. */
export function Who({ name }: { name: string }) {
  return <span className="wrap-anywhere">{name}</span>
}
