import type { A_Expr, ColumnRef, Node } from 'libpg-query'

/** How tables lie over the machines: rows by company, a copy on each, or on the coordinator alone. */
export type Layout = {
  distributed: ReadonlySet<string>
  reference: ReadonlySet<string>
  local: ReadonlySet<string>
}

/** Where a value comes from: a column of one table of the statement, a parameter, a constant. */
export type Place = string
export type Columns = (name: string) => Place | null
export type Source = { alias: string; columns: Columns }
/** What can be named at a place of the statement. */
export type Scope = {
  known: Knowledge
  sources: Source[]
  ctes: Map<string, Columns>
  parent: Scope | null
}

/** Everything that is known of a statement's values. */
export type Knowledge = {
  layout: Layout
  /** Names of a function's parameters and variables; their values are known when a statement is sent. */
  variables: ReadonlySet<string>
  tables: { name: string; place: Place }[]
  locals: string[]
  /** What a place takes its value from. */
  origins: Map<Place, Set<Place>>
  faults: string[]
}

export const unknown: Columns = () => null

export function learn({ origins }: Knowledge, place: Place, from: Place): void {
  origins.set(place, (origins.get(place) ?? new Set()).add(from))
}

export function text(node: Node | undefined): string | null {
  return node !== undefined && 'String' in node ? (node.String.sval ?? null) : null
}

export function child(parent: Scope): Scope {
  return { known: parent.known, sources: [], ctes: new Map(), parent }
}

export function chain(scope: Scope): Scope[] {
  return scope.parent === null ? [scope] : [scope, ...chain(scope.parent)]
}

function placeOfQualified(alias: string, column: string, scope: Scope): Place | null {
  const source = chain(scope)
    .flatMap(({ sources }) => sources)
    .find((candidate) => candidate.alias === alias)
  if (source !== undefined) return source.columns(column)
  return scope.known.variables.has(alias) ? `=${alias}.${column}` : null
}

function placeOfColumn({ fields = [] }: ColumnRef, scope: Scope): Place | null {
  const [first = null, second = null] = fields.map(text)
  if (first === null) return null
  if (second !== null) return placeOfQualified(first, second, scope)
  for (const { sources } of chain(scope)) {
    const place = sources.map(({ columns }) => columns(first)).find((found) => found !== null)
    if (place !== undefined) return place
  }
  return scope.known.variables.has(first) ? `=${first}` : null
}

/** Places of known values begin with '='. */
export function placeOf(node: Node | undefined, scope: Scope): Place | null {
  if (node === undefined) return null
  if ('TypeCast' in node) return placeOf(node.TypeCast.arg, scope)
  if ('ParamRef' in node) return `=$${node.ParamRef.number ?? 0}`
  if ('A_Const' in node) {
    const { isnull, location: _, ...value } = node.A_Const
    return isnull === true ? null : `=${JSON.stringify(value)}`
  }
  return 'ColumnRef' in node ? placeOfColumn(node.ColumnRef, scope) : null
}

function itemsOf(node: Node | undefined): (Node | undefined)[] {
  return node !== undefined && 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node]
}

/** Pairs of what an equality says is equal; of rows, each with its like. */
function equals({ kind, name, lexpr, rexpr }: A_Expr): [Node | undefined, Node | undefined][] {
  if (kind !== 'AEXPR_OP' || text(name?.[0]) !== '=') return []
  const right = itemsOf(rexpr)
  return itemsOf(lexpr).map((item, index) => [item, right[index]])
}

/** The conditions that all have to hold. */
function parts(node: Node | undefined): Node[] {
  if (node === undefined) return []
  if (!('BoolExpr' in node)) return [node]
  return node.BoolExpr.boolop === 'AND_EXPR' ? (node.BoolExpr.args ?? []).flatMap(parts) : []
}

/** What a condition tells; of an outer join only about `only`, the side that may be missing. */
export function learnConditions(node: Node | undefined, scope: Scope, only: Set<Place> | null = null): void {
  const mayLearn = (place: Place) => only === null || only.has(place)
  const pairs = parts(node).flatMap((part) => ('A_Expr' in part ? equals(part.A_Expr) : []))
  for (const [left, right] of pairs) {
    const one = placeOf(left, scope)
    const other = placeOf(right, scope)
    if (one === null || other === null) continue
    if (mayLearn(one)) learn(scope.known, one, other)
    if (mayLearn(other)) learn(scope.known, other, one)
  }
}

/** The known values a place gets its value from. */
export function knownOrigins({ origins }: Knowledge, place: Place): string[] {
  const reached = new Set([place])
  for (const from of reached) for (const next of origins.get(from) ?? []) reached.add(next)
  return [...reached].filter((from) => from.startsWith('='))
}
