import { z } from '@inventory-manager/contract/zod'

type Schema = z.core.JSONSchema.JSONSchema

/** Values that say more than their type would, by the name of their field. */
const known: Record<string, unknown> = {
  barcode: 'A-100',
  sku: 'A-100',
  description: 'Hex bolt M8',
  quantity: 12,
  primary_quantity: 12,
  amount: 12,
  location: 'PRIMARY',
  from: 'PRIMARY',
  to: 'SECONDARY',
  email: 'sam@example.com',
  contactEmail: 'ada@example.com',
  session: 'Session_1',
  name: 'Warehouse robot',
  url: 'https://example.com/inventory',
}

const byFormat: Record<string, string> = {
  uuid: '01993c5e-7a1b-7c2d-8e3f-4a5b6c7d8e9f',
  // A count of another week would be refused.
  'date-time': new Date().toISOString(),
  email: 'sam@example.com',
  uri: 'https://example.com/',
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function exampleOfObject({ properties = {}, required }: Schema): Record<string, unknown> {
  const named = Object.entries(properties).filter(
    ([name]) => required === undefined || required.includes(name),
  )
  return Object.fromEntries(
    named.map(([name, schema]) => [name, isSchema(schema) ? valueOf(schema, name) : null]),
  )
}

function firstOf({ anyOf, oneOf, allOf }: Schema): Schema | undefined {
  const [first] = anyOf ?? oneOf ?? allOf ?? []
  return isSchema(first) ? first : undefined
}

function exampleOfText({ format = '' }: Schema): string {
  return byFormat[format] ?? 'text'
}

function exampleOfType(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema)
    case 'array':
      return isSchema(schema.items) ? [valueOf(schema.items, '')] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return schema.type === 'null' ? null : exampleOfText(schema)
  }
}

/** Whether what is known by the name alone suits: a time may be called 'from', too. */
function suits({ type, format, enum: choices }: Schema, name: string): boolean {
  if (type === 'object' || type === 'array' || format === 'date-time') return false
  return name in known && (choices === undefined || choices.some((choice) => choice === known[name]))
}

function valueOf(schema: Schema, name: string): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (suits(schema, name)) return known[name]
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  const first = firstOf(schema)
  return first === undefined ? exampleOfType(schema) : valueOf(first, name)
}

/** A value a schema takes or gives, for a reader: required fields only, plausible rather than possible. */
export function exampleOf(schema: z.ZodMiniType, io: 'input' | 'output'): unknown {
  return valueOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), '')
}

/** What a path or a query has to hold, each as text. */
export function requiredExamplesOf(schema: z.ZodMiniObject): [name: string, value: string][] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return required.map((name) => {
    const property = properties[name]
    return [name, isSchema(property) ? String(valueOf(property, name)) : '']
  })
}
