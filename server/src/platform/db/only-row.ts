/** The row of a statement that always answers with one: a select without `from`, an aggregate, one call of a function. */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row, ...others] = rows
  if (row === undefined || others.length > 0) {
    throw new Error(`A statement that always answers with one row gave ${rows.length}.`)
  }
  return row
}
