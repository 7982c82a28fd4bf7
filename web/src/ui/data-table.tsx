import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Column<T> = { head: string; cell: (row: T) => ReactNode; numeric?: boolean }

/** Below which width a row is a card. */
type Cards = 'handheld' | 'tablet'

type Part = 'table' | 'head' | 'stays' | 'body' | 'row' | 'cell' | 'room' | 'lessRoom' | 'number' | 'name'

const looks: Record<Cards, Record<Part, string>> = {
  handheld: {
    table: 'max-sm:block',
    head: 'max-sm:sr-only',
    stays: 'sm:sticky sm:top-(--table-top) sm:bg-surface sm:shadow-[inset_0_-1px_var(--color-line)]',
    body: 'max-sm:block',
    row: 'sm:first:border-t-0 max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-4 max-sm:py-3',
    cell: 'max-sm:flex max-sm:wrap-anywhere max-sm:items-baseline max-sm:justify-between max-sm:gap-4 sm:py-3',
    room: 'sm:px-4',
    lessRoom: 'sm:px-2 sm:first:pl-4 sm:last:pr-4',
    number: 'sm:text-right',
    name: 'wrap-normal sm:hidden',
  },
  // Between the two the names stand in a column, for the eye to find what they belong to.
  tablet: {
    table: 'max-lg:block',
    head: 'max-lg:sr-only',
    stays: 'lg:sticky lg:top-(--table-top) lg:bg-surface lg:shadow-[inset_0_-1px_var(--color-line)]',
    body: 'max-lg:block',
    row: 'lg:first:border-t-0 max-lg:flex max-lg:flex-col max-lg:gap-1 max-lg:px-4 max-lg:py-3',
    cell: 'max-lg:flex max-lg:wrap-anywhere max-lg:items-baseline max-lg:gap-4 max-sm:justify-between lg:py-3',
    room: 'lg:px-4',
    lessRoom: 'lg:px-2 lg:first:pl-4 lg:last:pr-4',
    number: 'lg:text-right',
    name: 'wrap-normal sm:w-32 sm:shrink-0 lg:hidden',
  },
}

type DataTableProps<T> = {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Up to a tablet where the columns are many. */
  cards?: Cards
  /** Less room between columns, where they are more than fit. */
  dense?: boolean
}

/**
 * Rows and columns: a table at a desk, whose head stays in view below the bar, a card for each row on a handheld. Numbers stand to
 * the right.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, keyOf, cards = 'handheld', dense = false } = props
  const look = looks[cards]
  return (
    <table aria-label={label} className={classNames('w-full text-left text-base lg:text-sm', look.table)}>
      <thead className={classNames('text-muted', look.head)}>
        <tr>
          {columns.map(({ head, numeric }) => (
            <th
              key={head}
              scope="col"
              className={classNames(
                'py-2 font-medium whitespace-nowrap',
                look.stays,
                dense ? 'px-2 first:pl-4 last:pr-4' : 'px-4',
                numeric === true && 'text-right',
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={look.body}>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={classNames('border-t border-line align-top', look.row)}>
            {columns.map(({ head, cell, numeric }) => (
              <td
                key={head}
                className={classNames(
                  look.cell,
                  dense ? look.lessRoom : look.room,
                  numeric === true && 'tabular-nums',
                  numeric === true && look.number,
                )}
              >
                <span aria-hidden className={classNames('text-sm text-muted', look.name)}>
                  {head}
                </span>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
