import type { ImportField } from '@inventory-manager/contract/imports/rules'
import { locations, type LocationCode, type LocationNames } from '@inventory-manager/contract/locations'
import type { Meaning } from './column-meanings.ts'
import { ownNumber } from './own-number.ts'

const locationWords: Record<LocationCode, RegExp> = {
  PRIMARY: /primary|\bmain\b|hauptlager/i,
  SECONDARY: /secondary|overflow|\breserve\b/i,
  FULFILLMENT: /fulfil/i,
  DISTRIBUTION: /distribution/i,
}

/** What a head is of codes that are printed on goods. */
const printedCode =
  /\b(ean|upc|gtin|bar ?codes?|codes?[ -]?barres?|c[oó]digo de barras|strichcode|codic[ei] a barre|streepjescode|kod kreskowy)\b/i
const ofOthers = /\b(supplier|vendor|manufacturer|customer|lieferant\p{L}*|hersteller|kunden?)\b/iu

/** Whether a head is that of the number by which a company itself names what it has. */
const isOwnNumber = (text: string) =>
  (/\bsku\b/i.test(text) && !ofOthers.test(text)) || ownNumber(text) === 'strong'

/** The words that name a field, also in German, French, Spanish, Italian, Dutch, Portuguese and Polish; the first that fits counts. */
const words: readonly [RegExp, ImportField][] = [
  // As exports of this program write it.
  [
    /^(other|additional|alternat(e|ive)|further|weitere|andere|autres?|otros?)[ _-](bar ?codes?|eans?|upcs?|gtins?|codes?[ -]?barres?|c[oó]digos? de barras|strichcodes?)$/i,
    'other_barcodes',
  ],
  [
    /desc|^((product|item|article|artikel|component|part|material)[ _-]?)?(name|title|nom)$|\btext|text\b|bezeichnung|beschreibung|d[ée]signation|libell|benennung|denomina[zc]i|omschrijving|^(opis|nombre|nome|naam|nazwa)$/iu,
    'description',
  ],
  [
    /^(?!.*\b(type|typ|format|group|gruppe|kind|qty|quantity|menge|case|pack|other|has|image|url)\b).*\b(sku|bar ?codes?|ean|upc|gtin|code[ -]?barres?|c[oó]digo de barras|strichcode|codic[ei] a barre|streepjescode|kod kreskowy)\b/i,
    'barcode',
  ],
  [/quarantine|blocked|on[ _-]?hold|gesperrt/i, 'quarantine_quantity'],
  [locationWords.PRIMARY, 'primary_quantity'],
  [locationWords.SECONDARY, 'secondary_quantity'],
  [locationWords.FULFILLMENT, 'fulfillment_quantity'],
  [locationWords.DISTRIBUTION, 'distribution_quantity'],
]

/**
 * Words that name a field where no other head does: many lists begin with a number of their own, and name much else besides
 * components.
 */
const vagueWords: typeof words = [
  [
    /^(?!.*\b(brand|vendor|supplier|manufacturer|customer|category|location|warehouse|user|file|marke|lieferant\p{L}*|hersteller|kunden?|kategorie)).*(name|title|^nom(?!\p{L}))/iu,
    'description',
  ],
  [/^(internal[ _-]ref|stock[ _-]?(code|id|no\.?|number)(?!\p{L}))/iu, 'barcode'],
  [/^(artikel|material|teile?)[ _-]?(code|id|nr\.?|nummer|no\.?)?(?!\p{L})/iu, 'barcode'],
  [
    /^(id|code|item|article|product|component|part|r[ée]f(\.|[ée]rence|erencia)?|c[oó]digo)(?!\p{L})/iu,
    'barcode',
  ],
]

const anyQuantity =
  /^((current|actual|physical|aktueller?|ist|verf[üu]gbarer?|tats[äa]chlicher?)[ _-]?)?(quantity|qty|stock|count|amount|pieces|pcs|on[ _-]?hand|available|inventory|[qs]oh|menge|anzahl|(lager)?bestand|(lager|bestands)menge|st[üu]ck(zahl)?|stk|verf[üu]gbar|quantit[éeà]|qt[ée]|cantidad|existencias|disponible|giacenza|disponibil[ei]|voorraad|aantal|quantidade|qtde?|estoque|exist[êe]ncias?|ilo[śs][ćc]|stan(?= magazyn| aktualn|$)|zapas)(?!\p{L})|^(in|en|op|em)[ _-]?(stock|voorraad|estoque)(?![\p{L}?]| \?)/iu
const unwanted =
  /total|m[ií]nim|m[áa]xim|last[ _-]?count|reserved|reserviert|réservé|reservad|riservat|gereserv|zarezerw|\b(on[ _-]?order|ordered|sold|allocated|committed|incoming|bestellt|value|valor|valeur|valore|waarde|wert|warto[śs][ćc]|price|preis|prix|precio|prezzo|prijs|cena|cost|unit|min|max|date)\b/i

/** What is said of stock, or of a place of it, without being how much there is; a head that names an amount is one all the same. */
const besideStock =
  /(?<![\p{L}\d])(bin|shelf|aisle|rack|supplier|vendor|category|status|account|group|reason|image|contact|from)(?![\p{L}\d])/iu
const placeOfStock = /(?<![\p{L}\d])location(?![\p{L}\d])/iu
const amount = /(?<![\p{L}\d])(qty|quantity|menge|on[ _-]?hand)(?![\p{L}\d])/iu
const planned = /(?<![\p{L}\d])(reorder|safety|reserve[ _-]level)(?![\p{L}\d])/iu

/** What a head is that names a bin or a minimum, without the words for its location; also in those languages. */
const placementWords: readonly { is: RegExp; field: 'binField' | 'minimumField'; isVague: boolean }[] = [
  {
    is: /^(((storage )?bin|lagerplatz|stellplatz)( (code|id|no|nr|nummer|number|name|location))?|(storage )?location (code|id|no))$/i,
    field: 'binField',
    isVague: false,
  },
  {
    is: /^((shelf|rack|regal|regalfach|regalplatz|fach)( (code|id|no|nr|nummer|number|name|location))?|emplacement|casier|ubicaci[oó]n|estante(r[ií]a)?)$/i,
    field: 'binField',
    isVague: true,
  },
  {
    is: /^((min|minimum)( (stock|level|stock level))?|stock (min|mini|minimum)|mindestbestand|(stock|existencias|estoque|scorta|giacenza) m[ií]nim[oa]s?|minim(um|ale) ?voorraad|(stan|zapas) minimalny)$/i,
    field: 'minimumField',
    isVague: false,
  },
  {
    is: /^((min|minimum) (qty|quantity)|re ?order (point|level)|safety stock|(sicherheits|melde)bestand|stock de s[ée]curit[ée]|(stock|existencias) de seguridad|punto de pedido)$/i,
    field: 'minimumField',
    isVague: true,
  },
]
const besidePlacement =
  /primary|secondary|fulfil\p{L}*|distribution|hauptlager|\b(main|overflow|reserve|warehouse|center|centre|at|in)\b|[\s.:()#/-]/giu

/** What a head is that names what one piece costs, without the words beside it; not what it sells for, nor what all of it costs. */
const costWords: readonly { is: RegExp; isVague: boolean }[] = [
  { is: /^((unit )?landed|unit|item|product|piece) ?(unit )?costs?$/i, isVague: false },
  { is: /^cost ?(price|(per|each|a)?( ?(unit|item|piece|each|ea|pc)))$/i, isVague: false },
  { is: /^(purchas(e|ing)|buy(ing)?) ?(unit )?(price|cost)$/i, isVague: false },
  {
    is: /^((preis )?ek|ek ?preis|(einkauf|einstand|bezug)s ?preis|(stück ?kosten|kosten (pro |je )?stück))$/i,
    isVague: false,
  },
  {
    is: /^((prix|co[ûu]t)( unitaire)? (d )?achat|co[ûu]t unitaire|(prix|co[ûu]t) de revient)$/i,
    isVague: false,
  },
  {
    is: /^(precio( unitario)? de (compra|cost[eo])|cost[eo] (unitario|por unidad|de (compra|adquisici[óo]n)))$/i,
    isVague: false,
  },
  { is: /^((average|avg|standard|std|last|latest|current) )?(unit |purchase )?cost$/i, isVague: true },
  {
    is: /^(kosten|(durchschnittlicher|durchschnitts|mittlerer|letzter) (ek|einkaufspreis|einstandspreis))$/i,
    isVague: true,
  },
  {
    is: /^(co[ûu]t( moyen)?|pu?mp|cump|prix moyen pondéré|cost[eo]( (medio|promedio|est[áa]ndar))?)$/i,
    isVague: true,
  },
]
const besideCost =
  /\p{Sc}|(?<!\p{L})(eur|usd|gbp|chf|cad|aud|netto|net|ht|hors taxes?|excl|ex|vat|tax|ust|mwst|ohne|zzgl|in|sin|iva)(?!\p{L})|[\s.:()#/’'*-]/giu

/** What of a location a head may mean that names none. */
type Here = { quantityField: Meaning; binField: Meaning; minimumField: Meaning }

export type Guessing = {
  here: Here
  offered: readonly Meaning[]
  /** What the company calls its locations itself: exports have these names as heads. */
  ownNames: LocationNames
}

type Guess = { field: Meaning | null; isVague: boolean }

/** The bin or minimum that a head names, of the location it names or of `here`. */
function guessPlacement(text: string, here: Here): Guess | null {
  const words = text.replaceAll('_', ' ')
  const rest = words.replaceAll(besidePlacement, ' ').replaceAll(/ +/g, ' ').trim()
  const found = placementWords.find(({ is }) => is.test(rest))
  if (found === undefined) return null
  const named = locations.find(({ code }) => locationWords[code].test(words))
  return { field: (named ?? here)[found.field], isVague: found.isVague }
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** A head without a currency in brackets, as exports have it: Unit cost (PLN). */
function withoutCurrency(text: string): string {
  return text.replaceAll(/[([](\p{L}{3})[)\]]/gu, (bracket, code: string) =>
    currencies.has(code.toUpperCase()) ? ' ' : bracket,
  )
}

/** The unit cost, where a head names it. */
function guessCost(text: string): Guess | null {
  const words = withoutCurrency(text).replaceAll('_', ' ')
  const rest = words.replaceAll(besideCost, ' ').replaceAll(/ +/g, ' ').trim()
  const found = costWords.find(({ is }) => is.test(rest))
  return found === undefined ? null : { field: 'unit_cost', isVague: found.isVague }
}

/** Whether a head that names stock says how much there is; `besides`: the words that do not, unless an amount is named with them. */
function isHowMuch(text: string, besides: readonly RegExp[]): boolean {
  return !planned.test(text) && (amount.test(text) || !besides.some((words) => words.test(text)))
}

/** The field of a location that a head names as the company does, with the words that exports and this screen put beside it. */
function findOwn(text: string, ownNames: LocationNames): Guess | null {
  for (const { code, quantityField, binField, minimumField } of locations) {
    const name = ownNames[code]?.toLowerCase()
    if (name === undefined) continue
    const heads = new Map<string, ImportField>([
      [name, quantityField],
      [`stock at ${name}`, quantityField],
      [`${name} bin`, binField],
      [`bin at ${name}`, binField],
      [`${name} minimum`, minimumField],
      [`minimum at ${name}`, minimumField],
    ])
    const field = heads.get(text.toLowerCase())
    if (field !== undefined) return { field, isVague: false }
  }
  return null
}

const namedBy = (list: typeof words, text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** The field that a head may name where no other does. */
function guessVague(text: string, here: Here): Meaning | null {
  const named = namedBy(vagueWords, text)
  if (named !== undefined) return named
  if (ownNumber(text) !== null) return 'barcode'
  return anyQuantity.test(text) && isHowMuch(text, [besideStock, placeOfStock]) ? here.quantityField : null
}

/** The field that a head is taken for, and whether others are asked first. */
function guessField(text: string, here: Here): Guess {
  const placed = guessPlacement(text, here) ?? guessCost(text)
  if (placed !== null) return placed
  if (unwanted.test(text)) return { field: null, isVague: true }
  const named = namedBy(words, text)
  if (named !== undefined && (!named.endsWith('_quantity') || isHowMuch(text, [besideStock]))) {
    return { field: named, isVague: false }
  }
  return { field: guessVague(text, here), isVague: true }
}

/**
 * Of a file with the number of a company and codes that are printed on goods, or what may be the number of a row: the number of the company as
 * the barcode, whatever was found first, and codes of goods as others.
 */
function besideOwnNumber(
  texts: readonly string[],
  guesses: readonly Guess[],
  guessed: readonly (Meaning | null)[],
): (Meaning | null)[] {
  const isCode = (column: number) => guesses[column]?.field === 'barcode'
  const isPrinted = (column: number) => isCode(column) && printedCode.test(texts[column] ?? '')
  const firstOf = (is: (text: string) => boolean) =>
    texts.findIndex((text, column) => isCode(column) && !isPrinted(column) && is(text))
  const found = guessed.indexOf('barcode')
  const isWeak = ownNumber(texts[found] ?? '') === 'weak'
  const own = isPrinted(found) || isWeak ? firstOf(isOwnNumber) : -1
  const known = own === -1 && isPrinted(found) ? firstOf((text) => ownNumber(text) === 'weak') : own
  const barcode = known === -1 ? found : known
  return guessed.map((field, column) => {
    if (column === barcode) return 'barcode'
    if (isPrinted(column)) return 'other_barcodes'
    return field === 'barcode' ? null : field
  })
}

/**
 * What the columns of a file mean by their heads; null for one that says nothing. A bare quantity, bin or minimum is that of `here`.
 * No field is guessed twice, but for other barcodes, and none that is not offered; heads that name theirs come before vague ones left of them.
 */
export function guessFields(
  heads: readonly string[],
  { here, offered, ownNames }: Guessing,
): (Meaning | null)[] {
  const texts = heads.map((head) => head.trim())
  const guesses = texts.map((text) => findOwn(text, ownNames) ?? guessField(text, here))
  const guessed = heads.map((): Meaning | null => null)
  for (const pass of ['named', 'vague'] as const) {
    for (const [column, { field, isVague }] of guesses.entries()) {
      if (field === null || isVague !== (pass === 'vague')) continue
      const isFree = field === 'other_barcodes' || !guessed.includes(field)
      if (isFree && offered.includes(field)) guessed[column] = field
    }
  }
  return besideOwnNumber(texts, guesses, guessed)
}

/** Kinds of barcodes that have a number in their names, and heads that are numbered. */
const numberedKind = /^(ean|gtin|upc|code)[ _-]?(8|12|13|14|39|93|128)$/i
const numbered = /^\D+[ _]\d{1,2}$/
const bareNumber = /^[\s.,'-]*\d[\d\s.,'-]*$/
const year = /^(19|20)\d\d$/

/** As guessFields; null where a row is no heading: codes of goods begin with 'SKU' or 'PART' as well. */
export function guessHeading(
  cells: readonly string[],
  guessing: Guessing,
): readonly (Meaning | null)[] | null {
  const fields = guessFields(cells, guessing)
  const named = cells.find((_, column) => fields[column] === 'barcode')?.trim()
  if (named === undefined) return null
  const others = fields.filter(
    (field) => field !== null && field !== 'barcode' && field !== 'other_barcodes',
  ).length
  // Beside two that are named, numbers may be sizes or weeks.
  if (others < 2 && cells.some((cell) => bareNumber.test(cell) && !year.test(cell.trim()))) return null
  const isHead = !/\d/.test(named) || numberedKind.test(named) || (numbered.test(named) && others > 0)
  return isHead ? fields : null
}

/** For a file without heads: barcode, then description, then the quantity of `here`. */
export function fieldsByPlace(columns: number, { quantityField: here }: Here): (Meaning | null)[] {
  const usual: Meaning[] = columns === 2 ? ['barcode', here] : ['barcode', 'description', here]
  return Array.from({ length: columns }, (_, index) => usual[index] ?? null)
}
