import type { Node } from 'libpg-query'
import { z } from 'zod'

/** What is made anew for each row, or at each moment. */
const volatile = new Set(['clock_timestamp', 'new_id', 'new_ids', 'gen_random_uuid', 'random'])
/** What reads the time zone or another setting, of what updates have used. */
const stable = new Set([
  'jsonb_build_object',
  'jsonb_build_array',
  'to_jsonb',
  'to_char',
  'concat',
  'date_trunc',
])

const update = z.object({
  UpdateStmt: z.object({
    targetList: z.unknown(),
    whereClause: z.unknown().optional(),
    fromClause: z.unknown().optional(),
  }),
})
const returned = z.object({ returningClause: z.object({ exprs: z.array(z.unknown()) }) })
const named = z.array(z.object({ String: z.object({ sval: z.string() }) }))
const call = z.object({ FuncCall: z.object({ funcname: named, args: z.unknown().optional() }) })
const sum = z.object({ A_Expr: z.object({ name: named, lexpr: z.unknown().optional(), rexpr: z.unknown() }) })
const selection = z.object({
  SelectStmt: z.object({ targetList: z.unknown().optional(), fromClause: z.array(z.unknown()).default([]) }),
})
const table = z.object({ RangeVar: z.object({ relname: z.string() }) })
const compared = z.object({ CaseExpr: z.object({ arg: z.unknown() }) })
const column = z.object({ ColumnRef: z.object({ fields: z.array(z.unknown()) }) })
const part = z.object({ String: z.object({ sval: z.string() }) })
const addedColumn = z.object({
  AlterTableCmd: z.object({
    subtype: z.literal('AT_AddColumn'),
    def: z.object({ ColumnDef: z.object({ constraints: z.array(z.unknown()).default([]) }) }),
  }),
})
const unnamed = z.object({
  Constraint: z.object({
    contype: z.enum(['CONSTR_CHECK', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_FOREIGN']),
    conname: z.undefined().optional(),
  }),
})
const cast = z.object({ TypeCast: z.object({ arg: z.unknown(), typeName: z.object({ names: named }) }) })

/** Everything of a shape in an expression, but not in statements within it. */
function collect<T>(value: unknown, shape: z.ZodType<T>, isWhole = false): T[] {
  if (typeof value !== 'object' || value === null || (!isWhole && 'SelectStmt' in value)) return []
  const found = shape.safeParse(value)
  const below = Object.values(value).flatMap((inner) => collect(inner, shape, isWhole))
  return found.success ? [found.data, ...below] : below
}

const lastOf = (name: z.output<typeof named>) => name.at(-1)?.String.sval ?? ''

/** Whether an expression names a column, and no variable of a function alone. */
function hasColumn(value: unknown, variables: ReadonlySet<string>): boolean {
  return collect(value, column).some(({ ColumnRef: { fields } }) => {
    const first = part.safeParse(fields[0])
    return !first.success || !variables.has(first.data.String.sval)
  })
}

function isInterval(value: unknown): boolean {
  const isMade = collect(value, call).some(({ FuncCall }) => lastOf(FuncCall.funcname) === 'make_interval')
  return isMade || collect(value, cast).some(({ TypeCast }) => lastOf(TypeCast.typeName.names) === 'interval')
}

/** Whether it is a time without a zone, to which days may be added whatever the zone. */
function isLocal(value: unknown): boolean {
  const found = call.safeParse(value)
  return found.success && lastOf(found.data.FuncCall.funcname) === 'timezone'
}

function faultsIn(expression: unknown, variables: ReadonlySet<string>): string[] {
  const calls = collect(expression, call).flatMap(({ FuncCall }) => {
    const name = lastOf(FuncCall.funcname)
    const isRefused = volatile.has(name) || (stable.has(name) && hasColumn(FuncCall.args, variables))
    return isRefused ? [`${name}()`] : []
  })
  const sums = collect(expression, sum).filter(
    ({ A_Expr: { name, lexpr, rexpr } }) =>
      ['+', '-'].includes(lastOf(name)) &&
      hasColumn(lexpr, variables) &&
      !isLocal(lexpr) &&
      isInterval(rexpr),
  )
  return [...calls, ...sums.map(() => 'a time and an interval')]
}

/** It comes to the worker as \`case value when value = other\`. */
function comparisonsIn(expression: unknown, variables: ReadonlySet<string>): string[] {
  return collect(expression, compared, true)
    .filter(({ CaseExpr: { arg } }) => arg !== undefined && hasColumn(arg, variables))
    .map(() => '`case … when` of a value')
}

/** A text that is made of a day, for one, depends on a setting; what is cast is not told from here. */
function returnedIn(statement: unknown, variables: ReadonlySet<string>): string[] {
  return collect(statement, returned, true)
    .flatMap(({ returningClause }) => collect(returningClause.exprs, cast))
    .filter(
      ({ TypeCast }) => lastOf(TypeCast.typeName.names) === 'text' && hasColumn(TypeCast.arg, variables),
    )
    .map(() => 'a change answers a column cast to text, which Citus refuses of days and times')
}

/**
 * What an update says that Citus refuses: what is made anew for each row, and what depends on a setting and on columns. It is said by
 * the time of the statement, or apart in a select that the update takes it from, kept apart by `offset 0`. And what a change answers.
 */
export function formFaults(statement: Node, variables: ReadonlySet<string> = new Set()): string[] {
  const said = collect(statement, update, true)
    .flatMap(({ UpdateStmt: { targetList, whereClause, fromClause } }) => [
      ...faultsIn([targetList, whereClause], variables),
      ...comparisonsIn([targetList, whereClause, fromClause], variables),
    ])
    .map((what) => `an update says ${what}, which Citus refuses`)
  return [...said, ...returnedIn(statement, variables)]
}

/** Which functions that read or write a company's rows a select calls for rows of a table: on its machine they reach no others. */
export function callFaults(statement: Node, functions: ReadonlySet<string>): string[] {
  return collect(statement, selection, true)
    .filter(({ SelectStmt: { fromClause } }) => collect(fromClause, table).length > 0)
    .flatMap(({ SelectStmt: { targetList } }) => collect(targetList, call))
    .map(({ FuncCall }) => lastOf(FuncCall.funcname))
    .filter((name) => functions.has(name))
    .map((name) => `a select calls ${name}() for rows of a table, which Citus refuses`)
}

/** What a migration says of a column that it adds, and Citus refuses of a table that is distributed. */
export function columnFaults(statements: unknown): string[] {
  return collect(statements, addedColumn, true)
    .flatMap(({ AlterTableCmd: { def } }) => collect(def.ColumnDef.constraints, unnamed, true))
    .map(() => 'an added column has a constraint without a name, which Citus refuses')
}
