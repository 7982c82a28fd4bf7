import type { Node } from 'libpg-query'
import { parsePlPgSQLSync, parseSync } from 'libpg-query'
import { z } from 'zod'

/** A function of the schema with the statements in it, and the names that stand for values there. */
export type FunctionBody = { name: string; variables: ReadonlySet<string>; statements: Node[] }

const plan = z.object({ query: z.string(), parseMode: z.number().optional() })
const expression = z.object({ PLpgSQL_expr: plan })
const named = z.object({ refname: z.string() })

/** Everything of a shape that is anywhere in a tree. */
function collect<T>(value: unknown, shape: z.ZodType<T>): T[] {
  if (typeof value !== 'object' || value === null) return []
  const found = shape.safeParse(value)
  const below = Object.values(value).flatMap((inner) => collect(inner, shape))
  return found.success ? [found.data, ...below] : below
}

/** What plpgsql keeps of an expression, as the select that it runs for it. */
function asStatement({ query, parseMode = 0 }: z.output<typeof plan>): string {
  if (parseMode === 0) return query
  return `select ${parseMode === 2 ? query : query.slice(query.indexOf(':=') + 2)}`
}

function parse(text: string): Node[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]))
}

type Definition = Extract<Node, { CreateFunctionStmt: unknown }>['CreateFunctionStmt']

/** The text between the dollar signs; empty where the body is kept parsed. */
function bodyText({ options = [] }: Definition): string {
  const [text] = collect(
    options.filter((option) => 'DefElem' in option && option.DefElem.defname === 'as'),
    z.object({ sval: z.string() }),
  )
  return text?.sval ?? ''
}

function sqlStatements(definition: Definition): Node[] {
  const { sql_body: body } = definition
  if (body === undefined) return parse(bodyText(definition))
  if (!('List' in body)) return [body]
  return (body.List.items ?? []).flatMap((item) => ('List' in item ? (item.List.items ?? []) : [item]))
}

function readFunction(text: string): FunctionBody {
  const [definition] = parse(text)
  if (definition === undefined || !('CreateFunctionStmt' in definition))
    throw new Error(`No function: ${text}`)
  const stmt = definition.CreateFunctionStmt
  const name = collect(stmt.funcname, z.object({ sval: z.string() })).at(-1)?.sval ?? ''
  const parameters = (stmt.parameters ?? []).flatMap((parameter) =>
    'FunctionParameter' in parameter ? [parameter.FunctionParameter.name ?? ''] : [],
  )
  if (!/^ LANGUAGE plpgsql/m.test(text)) {
    return { name, variables: new Set([name, ...parameters]), statements: sqlStatements(stmt) }
  }
  const body: unknown = parsePlPgSQLSync(text)
  const variables = collect(body, named).map(({ refname }) => refname)
  const statements = collect(body, expression).flatMap(({ PLpgSQL_expr }) => parse(asStatement(PLpgSQL_expr)))
  return { name, variables: new Set([...parameters, ...variables]), statements }
}

/** Every function of a schema as `npm run schema` writes it. */
export function readFunctions(schema: string): FunctionBody[] {
  return schema
    .slice(schema.indexOf('-- functions'))
    .split(/(?=^CREATE OR REPLACE FUNCTION)/m)
    .slice(1)
    .map(readFunction)
}
