import ts from 'typescript'

/**
 * Changes that a rule in TypeScript should not survive. What people read (names, prices, sentences) is no rule and is left
 * alone, as are types and imports.
 *
 * @typedef {{ from: number, to: number, instead: string }} Change
 *
 * @typedef {{ what: string, line: number, text: string }} CodeMutant
 */

/** Properties whose texts are for people. */
const forPeople = new Set(['name', 'price', 'description', 'features', 'sentence'])

/** @type {Record<string, readonly string[]>} */
const operators = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
}

const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['push', 'unshift'],
  ['unshift', 'push'],
  ['add', 'delete'],
  ['includes', 'startsWith'],
])

/** Words instead of which another stands. */
const keywords = new Map([
  [ts.SyntaxKind.TrueKeyword, 'false'],
  [ts.SyntaxKind.FalseKeyword, 'true'],
])

const comparisons = new Set(['<', '<=', '>', '>=', '===', '!=='])

/** @param {ts.Node} node */
function isForPeople({ parent }) {
  if (ts.isPropertyAssignment(parent) && 'text' in parent.name) return forPeople.has(parent.name.text)
  return ts.isNewExpression(parent) && parent.expression.getText() === 'Error'
}

/** @param {ts.Node} node */
function isSkipped(node) {
  return ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)
}

/** @param {ts.BinaryExpression} node */
function ofBinary(node) {
  const operator = node.operatorToken.getText()
  const [left, right] = [node.left.getText(), node.right.getText()]
  const isText = [node.left, node.right].some(
    (side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side),
  )
  const others = operator === '+' && isText ? [] : (operators[operator] ?? [])
  // Brackets, because ?? stands beside && and || only with them.
  const changed = others.map((other) =>
    ts.isExpressionStatement(node.parent) ? `${left} ${other} ${right}` : `((${left}) ${other} (${right}))`,
  )
  return comparisons.has(operator) ? [...changed, 'true', 'false'] : changed
}

/** @param {ts.Node} node */
function ofLiteral(node) {
  if (ts.isNumericLiteral(node)) return [String(Number(node.text) + 1)]
  if (ts.isStringLiteral(node))
    return ts.isPropertyAssignment(node.parent) && node.parent.name === node ? [] : ["''"]
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return ['[]']
  if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) return ['({})']
  const other = keywords.get(node.kind)
  return other === undefined ? [] : [other]
}

/** @param {ts.RegularExpressionLiteral} node */
function ofPattern({ text }) {
  const end = text.lastIndexOf('/')
  const [body, flags] = [text.slice(1, end), text.slice(end + 1)]
  return [
    ...(body.startsWith('^') ? [`/${body.slice(1)}/${flags}`] : []),
    ...(body.endsWith('$') ? [`/${body.slice(0, -1)}/${flags}`] : []),
    ...(flags === '' ? [] : [`/${body}/`]),
  ]
}

/**
 * What happens, left out.
 *
 * @param {ts.Node} node
 */
function ofStatement(node) {
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [';']
  if (ts.isReturnStatement(node) && node.expression === undefined) return [';']
  if (ts.isBlock(node) && ts.isFunctionLike(node.parent) && node.statements.length > 1) return ['{}']
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return ['(() => undefined)']
  return []
}

/**
 * A condition that always holds, or never. A loop without end would only stop the run.
 *
 * @param {ts.Node} node
 */
function ofCondition(node) {
  const { parent } = node
  const isLoop = ts.isWhileStatement(parent) && parent.expression === node
  if (isLoop || (ts.isForStatement(parent) && parent.condition === node)) return ['false']
  const isChoice =
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node)
  return isChoice ? ['true', 'false'] : []
}

/** @param {ts.Node} node */
function ofAccess(node) {
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [node.operand.getText()]
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined)
    return [`${node.expression.getText()}.${node.name.text}`]
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  // The list as it is, instead of what is chosen of it.
  if (name.text === 'filter' || name.text === 'slice') return [expression.getText()]
  const other = methods.get(name.text)
  if (other === undefined) return []
  return [`${expression.getText()}.${other}(${node.arguments.map((one) => one.getText()).join(', ')})`]
}

/** @param {ts.Node} node */
function insteadOf(node) {
  const own = [
    ...(ts.isBinaryExpression(node) ? ofBinary(node) : []),
    ...(ts.isRegularExpressionLiteral(node) ? ofPattern(node) : []),
    ...ofLiteral(node),
    ...ofStatement(node),
    ...ofCondition(node),
    ...ofAccess(node),
  ]
  const text = node.getText()
  // A loop's own condition never becomes true.
  const isLoop = ts.isWhileStatement(node.parent) || ts.isForStatement(node.parent)
  return [...new Set(own)].filter((instead) => instead !== text && !(isLoop && instead === 'true'))
}

/** @param {string} text */
const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 70)

/**
 * Every mutant of a file, in the order of its lines.
 *
 * @param {string} name
 * @param {string} text
 * @returns {CodeMutant[]}
 */
export function mutantsOfCode(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  /** @type {CodeMutant[]} */
  const mutants = []
  /** @param {ts.Node} node */
  function visit(node) {
    if (isSkipped(node) || isForPeople(node)) return
    const [from, to] = [node.getStart(), node.getEnd()]
    const line = source.getLineAndCharacterOfPosition(from).line + 1
    for (const instead of insteadOf(node)) {
      const what = `${name}:${line}: '${short(node.getText())}' becomes '${short(instead)}'`
      mutants.push({ what, line, text: text.slice(0, from) + instead + text.slice(to) })
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return mutants
}
