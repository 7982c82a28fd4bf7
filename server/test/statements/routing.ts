import type {
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  RangeVar,
  SelectStmt,
  UpdateStmt,
  WithClause,
} from 'libpg-query'
import {
  chain,
  child,
  knownOrigins,
  learn,
  learnConditions,
  placeOf,
  text,
  unknown,
  type Columns,
  type Knowledge,
  type Layout,
  type Place,
  type Scope,
  type Source,
} from './places.ts'

function isSelect(value: object): value is { SelectStmt: SelectStmt } {
  return 'SelectStmt' in value
}

/** Looks into everything below a node for statements of its own, which see what is around them. */
function lookInside(value: unknown, scope: Scope): void {
  if (Array.isArray(value)) {
    for (const item of value) lookInside(item, scope)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (isSelect(value)) lookAtSelect(value.SelectStmt, scope)
  else for (const inner of Object.values(value)) lookInside(inner, scope)
}

function tableColumns(range: RangeVar, scope: Scope): Columns {
  const name = range.relname ?? ''
  const cte = chain(scope)
    .map(({ ctes }) => ctes.get(name))
    .find((columns) => columns !== undefined)
  if (cte !== undefined) return cte
  const { distributed, reference, local } = scope.known.layout
  if (range.schemaname === 'pg_catalog' || name.startsWith('pg_') || reference.has(name)) return unknown
  if (local.has(name)) scope.known.locals.push(name)
  else if (!distributed.has(name)) scope.known.faults.push(`the table ${name} has no place in the layout`)
  if (!distributed.has(name)) return unknown
  const place = `${name}#${scope.known.tables.length}.tenant_id`
  scope.known.tables.push({ name, place })
  return (column) => (column === 'tenant_id' ? place : null)
}

function addTable(range: RangeVar, scope: Scope): Source {
  const columns = tableColumns(range, scope)
  const source = { alias: range.alias?.aliasname ?? range.relname ?? '', columns }
  scope.sources.push(source)
  return source
}

function addJoin(join: JoinExpr, scope: Scope): Source[] {
  const left = join.larg === undefined ? [] : addSource(join.larg, scope)
  const right = join.rarg === undefined ? [] : addSource(join.rarg, scope)
  const tenants = (sources: Source[]) =>
    new Set(sources.map(({ columns }) => columns('tenant_id')).filter((place) => place !== null))
  const outer = new Map([
    ['JOIN_LEFT', tenants(right)],
    ['JOIN_RIGHT', tenants(left)],
    ['JOIN_FULL', new Set<Place>()],
  ])
  const { jointype = 'JOIN_INNER' } = join
  learnConditions(join.quals, scope, outer.get(jointype) ?? null)
  lookInside(join.quals, scope)
  return [...left, ...right]
}

function addSource(node: Node, scope: Scope): Source[] {
  if ('RangeVar' in node) return [addTable(node.RangeVar, scope)]
  if ('JoinExpr' in node) return addJoin(node.JoinExpr, scope)
  if ('RangeSubselect' in node) {
    const { subquery, alias } = node.RangeSubselect
    const columns = subquery === undefined ? unknown : lookAt(subquery, scope)
    const source = { alias: alias?.aliasname ?? '', columns }
    scope.sources.push(source)
    return [source]
  }
  lookInside(node, scope)
  const alias = 'RangeFunction' in node ? node.RangeFunction.alias?.aliasname : undefined
  const source = { alias: alias ?? '', columns: unknown }
  scope.sources.push(source)
  return [source]
}

function addCtes(clause: WithClause | undefined, scope: Scope): void {
  for (const node of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue
    const { ctename = '', ctequery } = node.CommonTableExpr
    scope.ctes.set(ctename, ctequery === undefined ? unknown : lookAt(ctequery, scope))
  }
}

/** What a select, or a returning clause, calls its columns and where they come from. */
function outputs(targets: Node[], scope: Scope): Columns {
  const named = new Map<string, Place | null>()
  let hasStar = false
  for (const target of targets) {
    if (!('ResTarget' in target)) continue
    const { name, val } = target.ResTarget
    const fields = val !== undefined && 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : []
    const last = fields.at(-1)
    if (last !== undefined && 'A_Star' in last) hasStar = true
    named.set(name ?? text(last) ?? '', placeOf(val, scope))
  }
  return (column) => {
    if (named.has(column)) return named.get(column) ?? null
    return hasStar
      ? (scope.sources.map(({ columns }) => columns(column)).find((place) => place !== null) ?? null)
      : null
  }
}

function lookAtSelect(select: SelectStmt, parent: Scope): Columns {
  const scope = child(parent)
  addCtes(select.withClause, scope)
  if (select.larg !== undefined && select.rarg !== undefined) {
    lookAtSelect(select.larg, scope)
    lookAtSelect(select.rarg, scope)
    return unknown
  }
  for (const node of select.fromClause ?? []) addSource(node, scope)
  learnConditions(select.whereClause, scope)
  const { withClause: _, fromClause: __, larg: ___, rarg: ____, ...rest } = select
  lookInside(rest, scope)
  return outputs(select.targetList ?? [], scope)
}

/** The rows an insert gives, each as what stands for the column of that number. */
function givenPlaces(select: SelectStmt, index: number, scope: Scope): (Place | null)[] {
  if (select.valuesLists !== undefined) {
    return select.valuesLists.map((row) => ('List' in row ? placeOf(row.List.items?.[index], scope) : null))
  }
  const name = `column ${index}`
  const targets = (select.targetList ?? []).map((target, at): Node =>
    at === index && 'ResTarget' in target ? { ResTarget: { ...target.ResTarget, name } } : target,
  )
  return [lookAtSelect({ ...select, targetList: targets }, scope)(name)]
}

function lookAtInsert(insert: InsertStmt, scope: Scope): void {
  if (insert.relation === undefined) return
  const target = addTable(insert.relation, scope).columns('tenant_id')
  const index = (insert.cols ?? []).findIndex(
    (column) => 'ResTarget' in column && column.ResTarget.name === 'tenant_id',
  )
  lookInside([insert.onConflictClause, insert.returningClause], scope)
  const select = insert.selectStmt
  if (select === undefined || !('SelectStmt' in select)) return
  const inside = child({ ...scope, sources: [] })
  const given = givenPlaces(select.SelectStmt, index, inside)
  if (select.SelectStmt.valuesLists !== undefined) lookInside(select.SelectStmt.valuesLists, inside)
  if (target === null) return
  for (const place of given) {
    if (place === null)
      scope.known.faults.push(`${insert.relation.relname} gets rows without a known company`)
    else learn(scope.known, target, place)
  }
}

function lookAtChange(change: UpdateStmt & DeleteStmt, scope: Scope): void {
  if (change.relation !== undefined) addTable(change.relation, scope)
  for (const node of [...(change.fromClause ?? []), ...(change.usingClause ?? [])]) {
    addSource(node, scope)
  }
  learnConditions(change.whereClause, scope)
  lookInside([change.whereClause, change.targetList, change.returningClause], scope)
  for (const target of change.targetList ?? []) {
    if ('ResTarget' in target && target.ResTarget.name === 'tenant_id') {
      scope.known.faults.push('a row is given to another company')
    }
  }
}

function lookAtWrite(node: Node, scope: Scope): Columns {
  if ('InsertStmt' in node) {
    addCtes(node.InsertStmt.withClause, scope)
    lookAtInsert(node.InsertStmt, scope)
    return outputs(node.InsertStmt.returningClause?.exprs ?? [], scope)
  }
  if (!('UpdateStmt' in node) && !('DeleteStmt' in node)) return unknown
  const change = 'UpdateStmt' in node ? node.UpdateStmt : node.DeleteStmt
  addCtes(change.withClause, scope)
  lookAtChange(change, scope)
  return outputs(change.returningClause?.exprs ?? [], scope)
}

/** Looks at a statement of any kind; answers with the columns it gives. */
function lookAt(node: Node, parent: Scope): Columns {
  if ('SelectStmt' in node) return lookAtSelect(node.SelectStmt, parent)
  const [kind = ''] = Object.keys(node)
  if (['InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) return lookAtWrite(node, child(parent))
  if (['ReturnStmt', 'DeclareCursorStmt'].includes(kind)) lookInside(node, parent)
  else if (!harmless.has(kind)) parent.known.faults.push(`${kind} is not known to this check`)
  return unknown
}

/** Statements that touch no rows of a company. */
const harmless = new Set([
  'VariableSetStmt',
  'TransactionStmt',
  'CreateStmt',
  'VacuumStmt',
  'FetchStmt',
  'ClosePortalStmt',
  'LockStmt',
])

/**
 * Why a statement cannot be sent to the one machine that holds its company; empty where it can: every distributed table
 * in it is tied by its tenant_id to a parameter or constant, or to a table that is, and all to the same one.
 * @param sameAs the first parameter with the same value, for a parameter such as '$5'
 */
export function routingFaults(
  statement: Node,
  layout: Layout,
  {
    variables = new Set(),
    sameAs = (parameter) => parameter,
  }: {
    variables?: ReadonlySet<string>
    sameAs?: (parameter: string) => string
  } = {},
): string[] {
  const known: Knowledge = { layout, variables, tables: [], locals: [], origins: new Map(), faults: [] }
  lookAt(statement, { known, sources: [], ctes: new Map(), parent: null })
  const companies = new Set<string>()
  for (const { name, place } of known.tables) {
    const values = knownOrigins(known, place)
    if (values.length === 0) known.faults.push(`${name} is not tied to a company`)
    for (const value of values) companies.add(sameAs(value.slice(1)))
  }
  if (companies.size > 1) known.faults.push(`it names more than one company: ${[...companies].join(', ')}`)
  if (known.locals.length > 0 && known.tables.length > 0) {
    known.faults.push(`${known.locals.join(', ')} is not where the companies are`)
  }
  return [...new Set(known.faults)]
}
