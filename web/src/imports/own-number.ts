/** What heads call a number, in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. */
const number =
  '(?:no|nr|nro|n|num|n[uú]mero|num[eé]ro|number|nummer|numer|code|codice|cod|c[oó]digo|kod|id|ref|index|indeks)'
/** What they call what has it. */
const item =
  '(?:art|article|artikel|articolo|art[ií]culo|artigo|artyku[lł]u?|item|product|produkt|produktu|produit|producto|prodotto|produto|material|part|teile?|pi[eè]ce|pieza|towaru?)'
const between = '(?: ?(?:d|de|del|dell|do|du|l|van|of))?'

/** A head that is the number by which a company itself names what it has, without the marks in it. */
const strong = new RegExp(
  `^(?:(?:${item}|stock|bestell) ?${number}|${number}${between} ${item}|p ?n|(?:internal |interne )?r[eé]f(?:[eé]rence|erencia|erência|erentie|erenz|erencja)?(?: ${item}| intern[aeo]?)?|riferimento(?: interno)?|indeks)$`,
  'iu',
)
/** One that may be it, or the number of a row. */
const weak = /^(?:id|code|codice|c[oó]digo|kod|cod|symbol)$/iu

/** A head without its marks: 'Art.-Nr.' is 'Art Nr', 'Item #' is 'Item no'. */
function withoutMarks(head: string): string {
  return head
    .replaceAll('#', ' no ')
    .replaceAll(/[°º]/g, ' ')
    .replaceAll(/[\s._:()/’'-]+/g, ' ')
    .trim()
}

/** Whether a head is the number by which a company itself names what it has, and how sure that is; null where it is none. */
export function ownNumber(head: string): 'strong' | 'weak' | null {
  const words = withoutMarks(head)
  if (strong.test(words)) return 'strong'
  return weak.test(words) ? 'weak' : null
}
