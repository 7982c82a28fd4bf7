/**
 * Changes that a rule in SQL should not survive, each a place in the text and what stands there instead. Comments and
 * quoted text are left alone.
 *
 * @typedef {{ from: number, to: number, instead: string }} Change
 *
 * @typedef {{ what: string, sql: string }} Mutant
 */

/** @type {{ pattern: RegExp, instead: (found: RegExpExecArray) => string }[]} */
const operators = [
  { pattern: / <= /g, instead: () => ' < ' },
  { pattern: / >= /g, instead: () => ' > ' },
  { pattern: / < /g, instead: () => ' <= ' },
  { pattern: / > /g, instead: () => ' >= ' },
  { pattern: / <> /g, instead: () => ' = ' },
  {
    pattern:
      / and (?=not |exists|v_|p_|coalesce|abs|active|role|seated|status|start_of|current_setting|\(|sessions\.(?:ended|expires)|users\.active|expires|state)/g,
    instead: () => ' or ',
  },
  { pattern: / or /g, instead: () => ' and ' },
  { pattern: /\bif not found\b/g, instead: () => 'if found' },
  { pattern: /\bif found\b/g, instead: () => 'if not found' },
  { pattern: /\bnot (?=exists|v_|p_)/g, instead: () => '' },
  { pattern: /\bis not null\b/g, instead: () => 'is null' },
  { pattern: /\bis null\b/g, instead: () => 'is not null' },
  { pattern: /\bgreatest\(/g, instead: () => 'least(' },
  { pattern: /\s+for update\b/g, instead: () => '' },
  { pattern: /\bdesc\b/g, instead: () => 'asc' },
  { pattern: / \+ 1\b/g, instead: () => ' + 0' },
  { pattern: / > 1\b/g, instead: () => ' > 2' },
  { pattern: /(?<=interval ')(\d+)/g, instead: ([digits]) => String(Number(digits) + 1) },
  { pattern: /(?<=constant integer := )(\d+)/g, instead: ([digits]) => String(Number(digits) + 1) },
  { pattern: /\bperform pg_advisory_xact_lock\w*\([^;]*\);/g, instead: () => '' },
]

/**
 * Whether a place in a function's text is a comment, or quoted text other than a length of time.
 *
 * @param {string} text
 * @param {number} at
 */
function isDead(text, at) {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  return line.includes('--')
}

/**
 * Every mutant of a function, given as 'create or replace function …'.
 *
 * @param {string} name
 * @param {string} definition
 * @returns {Mutant[]}
 */
export function mutantsOfFunction(name, definition) {
  // Parameters and settings before the body are no rules.
  const body = /\$function\$|BEGIN ATOMIC/.exec(definition)?.index ?? 0
  return operators.flatMap(({ pattern, instead }) =>
    [...definition.matchAll(pattern)]
      .filter(({ index }) => index > body && !isDead(definition, index))
      .map((found) => {
        const { index } = found
        const line = definition.slice(0, index).split('\n').length
        const text = definition.split('\n')[line - 1]?.trim().slice(0, 90) ?? ''
        return {
          what: `${name}: '${found[0].trim()}' becomes '${instead(found).trim()}' in: ${text}`,
          sql: definition.slice(0, index) + instead(found) + definition.slice(index + found[0].length),
        }
      }),
  )
}

/**
 * What would open a table to other companies.
 *
 * @param {{ table: string, policy: string }} guarded
 * @returns {(Mutant & { undo: string })[]}
 */
export function mutantsOfPolicy({ table, policy }) {
  const own = '(tenant_id = current_tenant())'
  const restore = `alter policy ${policy} on ${table} using ${own} with check ${own}`
  return [
    {
      what: `${table}: rows of all companies are seen`,
      sql: `alter policy ${policy} on ${table} using (true)`,
      undo: restore,
    },
    {
      what: `${table}: rows may be written for all companies`,
      sql: `alter policy ${policy} on ${table} with check (true)`,
      undo: restore,
    },
    {
      what: `${table}: row level security is off`,
      sql: `alter table ${table} disable row level security`,
      undo: `alter table ${table} enable row level security`,
    },
    {
      what: `${table}: its owner passes row level security`,
      sql: `alter table ${table} no force row level security`,
      undo: `alter table ${table} force row level security`,
    },
  ]
}
