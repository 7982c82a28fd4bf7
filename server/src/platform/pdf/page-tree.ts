import { addObject, addStream, reserveObject, writeObject, type PdfFile } from './pdf-file.ts'

/** The pages of a file, in groups under one root (ISO 32000-1, 7.7.3), all of one size and with the same fonts. */
export interface PageTree {
  root: number
  /** Groups that are complete or being filled; all but the last hold `pagesPerGroup` pages. */
  groups: number[]
  /** The pages of the last group. */
  kids: number[]
  /** What the last page shows; equal neighbours, such as copies, share one stream. */
  content: { text: string; number: number } | null
}

const pagesPerGroup = 100

export function openPageTree(file: PdfFile): PageTree {
  return { root: reserveObject(file), groups: [], kids: [], content: null }
}

/** Adds a page that draws `content`, operators of a content stream. */
export function addPage(file: PdfFile, tree: PageTree, content: string): void {
  if (tree.kids.length === pagesPerGroup) closeGroup(file, tree)
  if (tree.kids.length === 0) tree.groups.push(reserveObject(file))
  if (tree.content?.text !== content) {
    tree.content = { text: content, number: addStream(file, content) }
  }
  const entries = `/Parent ${tree.groups.at(-1)} 0 R/Contents ${tree.content.number} 0 R`
  tree.kids.push(addObject(file, `<</Type/Page${entries}>>`))
}

/** Writes the rest of the tree; `shared` are entries that all pages inherit. */
export function closePageTree(file: PdfFile, tree: PageTree, shared: string): void {
  const full = Math.max(tree.groups.length - 1, 0) * pagesPerGroup
  const count = full + tree.kids.length
  if (tree.kids.length > 0) closeGroup(file, tree)
  writeObject(file, tree.root, `<</Type/Pages/Kids[${references(tree.groups)}]/Count ${count}${shared}>>`)
}

function closeGroup(file: PdfFile, tree: PageTree): void {
  const kids = `/Kids[${references(tree.kids)}]/Count ${tree.kids.length}`
  writeObject(file, tree.groups.at(-1) ?? 0, `<</Type/Pages/Parent ${tree.root} 0 R${kids}>>`)
  tree.kids = []
}

function references(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(' ')
}
