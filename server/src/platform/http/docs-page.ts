import type { Endpoint } from '@inventory-manager/contract/endpoint'
import { errorTable } from '@inventory-manager/contract/errors'
import { z } from '@inventory-manager/contract/zod'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}

function schemaBlock(title: string, schema: z.ZodType | undefined, io: 'input' | 'output'): string {
  if (schema === undefined) return ''
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return `<details><summary>${title}</summary><pre>${escape(JSON.stringify(shape, null, 2))}</pre></details>`
}

function errorList(endpoint: Endpoint): string {
  const items = endpoint.errors.map((code) => {
    const { status, sentence } = errorTable[code]
    return `<li>${status} <code>${code}</code> ${escape(sentence)}</li>`
  })
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
}

function section(name: string, endpoint: Endpoint): string {
  const reply = 'json' in endpoint.reply ? endpoint.reply.json : undefined
  return `<section id="${name}">
<h2><code>${endpoint.method} ${escape(endpoint.path)}</code></h2>
<p>${escape(endpoint.summary)}. For: ${endpoint.access}.${endpoint.effect === 'write' ? ' Takes an Idempotency-Key.' : ''}</p>
${schemaBlock('Path', endpoint.params, 'input')}
${schemaBlock('Query', endpoint.query, 'input')}
${schemaBlock('Body', endpoint.body, 'input')}
${reply === undefined ? '<p>Answers with a file or a stream.</p>' : schemaBlock(`Reply (${endpoint.reply.status})`, reply, 'output')}
${errorList(endpoint)}
</section>`
}

/** The interface as a page to read, from the same declarations as the OpenAPI document. */
export function docsPage(endpoints: Record<string, Endpoint>, version: string): string {
  const entries = Object.entries(endpoints)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Inventory Manager: HTTP interface</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<main>
<h1>Inventory Manager ${escape(version)}: HTTP interface</h1>
<p>JSON in UTF-8. Sign in with <code>POST /api/auth/login</code> and send <code>Authorization: Bearer</code> with what it
gives. Errors are <code>{ "error": "a sentence", "code": "snake_case" }</code>. The same as a machine reads it:
<a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
${entries.map(([name, endpoint]) => section(name, endpoint)).join('\n')}
</main>
</body>
</html>`
}

export const docsStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 0.5rem 0 }
h2 { font-size: 1rem; margin: 0.5rem 0 }
pre { overflow: auto; padding: 0.75rem; background: color-mix(in srgb, currentColor 6%, transparent); font-size: 0.8rem }
summary { cursor: pointer; padding: 0.25rem 0 }
p, ul { margin: 0.5rem 0 }
`
