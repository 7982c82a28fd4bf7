import type { LocationCode } from '@inventory-manager/contract/locations'
import { addBarcode } from '@inventory-manager/contract/stock/alias-endpoints'
import { packMessages, readPackPieces } from '@inventory-manager/contract/stock/packs'
import { readPiecesTyped } from '@inventory-manager/contract/stock/typed-pieces'
import {
  createFromUnknownCode,
  decideUnknownCodes,
  mostUnknownDecided,
  listUnknownCodes,
  type UnknownCode,
  type UnknownCodeStatus,
} from '@inventory-manager/contract/unknown-codes/endpoints'
import { countedBefore, unknownCodeMessages } from '@inventory-manager/contract/unknown-codes/messages'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isUnreached, messageOf } from '../api/api-error.ts'
import { byCursor } from '../api/by-cursor.ts'
import { call } from '../api/client.ts'
import { firstKnown } from '../api/first-known.ts'
import { standingOf } from '../api/list-standing.ts'
import { useOnce, type Once } from '../api/once.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesToAsk } from '../scanning/meant.ts'
import { placeName } from '../session/place-names.ts'

/** The codes of a status, page after page; what is shown stays while others load. */
export function useUnknownCodes(status: UnknownCodeStatus, location: string) {
  const pages = useInfiniteQuery({
    queryKey: [listUnknownCodes.path, status, location],
    queryFn: ({ signal, pageParam }) => {
      const query = { status, ...(location === '' ? {} : { location }), cursor: pageParam }
      return call(listUnknownCodes, { query }, { signal })
    },
    ...byCursor,
    placeholderData: (previous) => previous,
  })
  const codes = pages.data?.pages.flatMap((page) => page.unknown_codes) ?? []
  return {
    ...pages,
    codes,
    ...standingOf(pages, codes.length),
    total: pages.data?.pages[0]?.total ?? 0,
  }
}

/** `sku`: of the component that it is about. */
type Said = { tone: 'good' | 'info' | 'bad'; text: string; sku?: string; undo?: readonly string[] }

/** How many codes of several were decided so far, and which of them could be put back. */
type Progress = { decided: number; undo: readonly string[] }

function failureWords({ decided }: Progress, error: unknown): string {
  const { deciding, decidingOthers, unanswered, unansweredOthers } = unknownCodeMessages
  const message = messageOf(error)
  if (isUnreached(error)) return decided === 0 ? unanswered(message) : unansweredOthers(decided, message)
  return decided === 0 ? deciding(message) : decidingOthers(decided, message)
}

type Made = { barcode: string; created: boolean; reinstated: boolean; stocked?: boolean | undefined }

/** What became of a code that was to be a component. */
function madeWords({ barcode, created, reinstated, stocked }: Made): string {
  if (reinstated) return unknownCodeMessages.reinstated(barcode)
  if (stocked === true) return unknownCodeMessages.createdWithStock(barcode)
  return created ? unknownCodeMessages.created(barcode) : unknownCodeMessages.existed(barcode)
}

function ignoredWords(codes: readonly UnknownCode[]): string {
  const [only] = codes
  if (codes.length === 1 && only !== undefined) return unknownCodeMessages.ignored(only.code)
  return unknownCodeMessages.ignoredMany(codes.length)
}

type Given = { alias: string; pieces: number }

/** How many pieces somebody has typed; throws with the sentence to show where that is no such number. */
function getPieces(typed: string): number {
  const pieces = readPackPieces(typed)
  if (pieces === null) throw new Error(packMessages.wrong)
  return pieces
}

/** What somebody has typed as the stock at a place. */
export type TypedStock = { location: LocationCode; typed: string }

/** The stock that a new component begins with; throws with the sentence to show where one is no number of pieces. */
function stockOf(places: readonly TypedStock[]) {
  const stock = places.flatMap(({ location, typed }) => {
    const text = typed.trim()
    if (text === '') return []
    const quantity = readPiecesTyped(text)
    if (quantity === null) throw new Error(unknownCodeMessages.wrongStock)
    return [{ location, quantity }]
  })
  return stock.length === 0 ? {} : { stock }
}

/** That a code is a barcode of a component now, and which counts under it are in none of that. */
function addedWords({ code, counted = [] }: UnknownCode, to: { sku: string; pieces: number }): string {
  const places = counted.map(({ location, quantity }) => ({ quantity, place: placeName(location) }))
  return unknownCodeMessages.added(code, to) + countedBefore(places, to.sku)
}

/** Gives a code to the component of the first of some barcodes that has one; says by which. Throws as the call does where none has. */
async function give(given: Given, barcodes: readonly string[], once: Once): Promise<string> {
  return await firstKnown(barcodes, async (barcode) => {
    const body = { barcode, ...given }
    await once(body, (idempotencyKey) => call(addBarcode, { body }, { idempotencyKey }))
    return barcode
  })
}

/** What can be done with codes; each says what came of it. */
export function useActions() {
  const [said, setSaid] = useState<Said | null>(null)
  const [busy, setBusy] = useState(false)
  const once = useOnce()
  const company = useScannersOfCompany()

  async function attempt(work: (progress: Progress) => Promise<Said>): Promise<void> {
    setBusy(true)
    const progress: Progress = { decided: 0, undo: [] }
    try {
      await readAnewAfter(
        async () => setSaid(await work(progress)),
        () => readAnew(listUnknownCodes.path),
      )
    } catch (error) {
      const undo = progress.undo.length === 0 ? {} : { undo: progress.undo }
      // The next try, as a scan, does not wait for the list: Enter does nothing where the button may not be pressed.
      setSaid({ tone: 'bad', text: failureWords(progress, error), ...undo })
    }
    setBusy(false)
  }

  /** Decides in parts, where one call does not take all. */
  async function decide(ids: readonly string[], decision: 'ignore' | 'reopen', progress: Progress) {
    const undone = () =>
      decision === 'ignore' ? ids.slice(0, progress.decided) : ids.slice(progress.decided)
    progress.undo = undone()
    for (let first = 0; first < ids.length; first += mostUnknownDecided) {
      const part = ids.slice(first, first + mostUnknownDecided)
      await call(decideUnknownCodes, { body: { ids: part, decision } })
      progress.decided += part.length
      progress.undo = undone()
    }
  }

  return {
    said,
    busy,
    create: (code: UnknownCode, description: string, places: readonly TypedStock[] = []) =>
      attempt(async () => {
        const body = { id: code.id, description, ...stockOf(places) }
        const made = await once(body, (idempotencyKey) =>
          call(createFromUnknownCode, { body }, { idempotencyKey }),
        )
        return { tone: 'good', text: madeWords(made), sku: made.barcode }
      }),
    addTo: (code: UnknownCode, scanned: string, typed: string) =>
      attempt(async () => {
        const pieces = getPieces(typed)
        const sku = await give({ alias: code.code, pieces }, codesToAsk(scanned, company), once)
        return { tone: 'good', text: addedWords(code, { sku, pieces }), sku }
      }),
    ignore: (codes: readonly UnknownCode[]) =>
      attempt(async (progress) => {
        const ids = codes.map(({ id }) => id)
        await decide(ids, 'ignore', progress)
        return { tone: 'good', text: ignoredWords(codes), undo: ids }
      }),
    reopen: (ids: readonly string[], words: string) =>
      attempt(async (progress) => {
        await decide(ids, 'reopen', progress)
        return { tone: 'info', text: words }
      }),
  }
}

export type Actions = ReturnType<typeof useActions>
