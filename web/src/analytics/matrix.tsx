import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'

/** `value`: null where there is none yet. */
type Cell = { column: string; value: number | null; title: string }
/** In rem. */
const highestRow = 5
const headHeight = 2.5
/** Rem of a weekday's column: a digit with its share of the commas, what is around a number, and its name. */
const digit = 0.6
const around = 0.75
const weekday = 2.5
/** Rem of a handheld's column of weeks, and of all columns where the numbers of a wide matrix are long. */
const weekName = 4.5
const wide = 28
/** Letters of a column's name that fit across on a handheld. */
const shortName = 3
/** Of the longest that stands there whole. */
const longName = 12

/** With a `hint` the name is a SKU's. */
type MatrixRow = { name: string; hint?: string; cells: Cell[] }

/** Steps of one hue, the first clearly above the surface, so that 1 is told from 0; text by the step's own contrast. */
const steps = [
  'bg-sunken text-muted',
  'bg-heat-1 text-heat-ink',
  'bg-heat-2 text-heat-ink',
  'bg-heat-3 text-heat-ink',
  'bg-heat-4 text-on-accent',
  'bg-heat-5 text-on-accent',
]

/** The step of a value: 0 for none, then by its share of the largest. */
function stepOf(value: number | null, largest: number): string {
  if (value === null) return ''
  if (value === 0) return steps[0] ?? ''
  const index = Math.max(1, Math.ceil((value / largest) * (steps.length - 1)))
  return steps[index] ?? ''
}

/** Rem that a matrix is wide at least: one whose numbers have no room in a handheld's columns is scrolled. */
function leastWidth(columns: readonly string[], largest: number): number {
  if (!columns.every((column) => column.length <= shortName)) return largest >= 100_000 ? wide : 0
  return weekName + columns.length * Math.max(weekday, formatNumber(largest).length * digit + around)
}

/** Numbers in rows and columns, shaded by size; a table, so that everybody can read it. */
export function Matrix({ caption, corner, rows }: { caption: string; corner: string; rows: MatrixRow[] }) {
  const largest = Math.max(0, ...rows.flatMap(({ cells }) => cells.map(({ value }) => value ?? 0)))
  const columns = rows[0]?.cells.map(({ column }) => column) ?? []
  const isNarrow = columns.every((column) => column.length <= shortName)
  return (
    <table
      className="w-full table-fixed border-separate border-spacing-1 text-xs sm:text-sm"
      // All of the canvas, but no rows higher than they are easy to read across.
      style={{
        minWidth: `${leastWidth(columns, largest)}rem`,
        height: `min(100%, ${rows.length * highestRow + headHeight}rem)`,
      }}
    >
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th
            scope="col"
            className={classNames(
              'sticky left-0 bg-surface px-1 py-1 text-left align-bottom font-medium text-muted sm:w-64 sm:px-2',
              isNarrow ? 'w-18' : 'w-34',
            )}
          >
            {corner}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-1 py-1 align-bottom text-xs font-medium text-muted">
              {/* Long names stand upright where columns are narrow. */}
              <span
                title={column}
                className={classNames(
                  !isNarrow && 'max-sm:rotate-180 max-sm:[writing-mode:vertical-rl]',
                  column.length > longName && 'inline-block wrap-anywhere max-sm:max-h-28 max-sm:truncate',
                )}
              >
                {column}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, hint, cells }) => (
          <tr key={name}>
            <th scope="row" className="sticky left-0 bg-surface px-1 py-1 text-left font-normal sm:px-2">
              {/* Whole: without its end it would be another one. */}
              <span className={classNames('block wrap-anywhere', hint !== undefined && 'font-mono')}>
                {name}
              </span>
              {hint !== undefined && <span className="block truncate text-xs text-muted">{hint}</span>}
            </th>
            {cells.map(({ column, value, title }) => (
              <td
                key={column}
                title={title}
                className={`rounded-control py-3 text-center tabular-nums sm:px-1 ${stepOf(value, largest)}`}
              >
                {value === null ? '' : formatNumber(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
