import { maxSoughtLength } from '@inventory-manager/contract/sought-text'
import { searchComponents } from '@inventory-manager/contract/stock/component-endpoints'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { findFirst } from '../api/find-component.ts'
import { readCode } from '../scanning/codes.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesMeant } from '../scanning/meant.ts'
import { readScannerSettings } from '../scanning/settings.ts'
import { withoutIdentifier } from '../scanning/symbology.ts'
import { useSettled } from '../ui/use-settled.ts'

const settledMs = 150

/** As many as one page of what the server finds. */
const mostFound = '1000'

/** The barcodes of what the server finds by a text: other barcodes and bins are not in the list that is here. */
function useFoundByOthers(text: string) {
  const settled = useSettled(text, settledMs)
  const isAsked = settled !== '' && settled.length <= maxSoughtLength
  const { data, error, isFetching } = useQuery({
    queryKey: [searchComponents.path, 'labels', settled],
    queryFn: ({ signal }) =>
      call(
        searchComponents,
        { query: { text: settled, state: 'active', sort: 'barcode', limit: mostFound } },
        { signal },
      ),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const found = isAsked && text !== '' ? data : undefined
  return {
    found,
    error,
    // What the text before found stays until it is known what this one finds.
    isSearching: text !== '' && (settled !== text || isFetching),
  }
}

/** What a text is read as that somebody entered: the component whose code it is, or else itself without what a scanner adds. */
type Read = { search: string; barcode: string | null; code: string }

/** What a code means that is scanned into the search, or typed there with Enter. */
function useReading(components: readonly Component[], onComponent: (item: Component) => void) {
  const [read, setRead] = useState<Read | null>(null)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const company = useScannersOfCompany()
  const lookup = useRef<AbortController>(null)
  useEffect(() => () => lookup.current?.abort(), [])

  /** Whoever goes on to something else gets nothing chosen by a late answer. */
  function forget(): void {
    lookup.current?.abort()
    setFault(undefined)
  }

  async function enter(search: string): Promise<void> {
    forget()
    const controller = new AbortController()
    lookup.current = controller
    const { signal } = controller
    try {
      const barcode = await findFirst(codesMeant(search.trim(), company), signal)
      const item = components.find((component) => component.barcode === barcode)
      if (signal.aborted) return
      const { code } = readCode(search.trim(), readScannerSettings(company), () => false)
      // Of a bin's label that, too, which says what kind of symbol it is.
      setRead({ search, barcode: item?.barcode ?? null, code: withoutIdentifier(code) })
      if (item !== undefined) onComponent(item)
    } catch (error) {
      if (!signal.aborted) setFault(messageOf(error))
    }
  }

  return { read, fault, forget, enter }
}

export type LabelSearch = ReturnType<typeof useLabelSearch>

type SearchOptions = {
  search: string
  components: readonly Component[]
  /** A code of it was entered. */
  onComponent: (item: Component) => void
}

/** What a search finds beside what the list says by itself: by other barcodes, by bins, and as the code that was scanned. */
export function useLabelSearch({ search, components, onComponent }: SearchOptions) {
  const { read, fault, forget, enter } = useReading(components, onComponent)
  const meant = read?.search === search ? read : null
  const text = meant !== null && meant.barcode === null ? meant.code : search.trim()
  const { found, error, isSearching } = useFoundByOthers(text)
  const barcode = meant?.barcode ?? null
  const barcodes = useMemo(
    () =>
      new Set([
        ...(found?.components ?? []).map((item) => item.barcode),
        ...(barcode === null ? [] : [barcode]),
      ]),
    [found, barcode],
  )
  return {
    barcodes,
    isSearching,
    /** Whether more is found than is listed. */
    isPart: found !== undefined && found.next_cursor !== null,
    fault:
      fault ??
      (error === null ? undefined : `Other barcodes and bins could not be searched: ${messageOf(error)}`),
    forget,
    enter: (entered: string) => void enter(entered).catch(reportError),
  }
}
