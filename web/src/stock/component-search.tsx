import type { ComponentState } from '@inventory-manager/contract/stock/component-endpoints'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { componentPath } from '../lib/paths.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesMeant } from '../scanning/meant.ts'
import { SelectField } from '../ui/field.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { findComponent } from './find-component.ts'

/** The own barcode of the component that has the first of some codes that any has, also where it is retired; null where none has. */
async function findFirst(codes: readonly string[], signal: AbortSignal): Promise<string | null> {
  for (const code of codes) {
    const found = await findComponent(code, { signal })
    if (found !== null) return found.barcode
  }
  return null
}

type SearchProps = {
  search: string
  state: ComponentState
  onSearch: (text: string) => void
  onState: (state: ComponentState) => void
}

const states = [
  { value: 'active', label: 'In use' },
  { value: 'retired', label: 'Retired' },
] as const satisfies readonly { value: ComponentState; label: string }[]

function stateOf(text: string): ComponentState {
  return states.find(({ value }) => value === text)?.value ?? 'active'
}

const longestSearch = 100

/** What an address of the screen asks for. */
export function soughtIn(address: URLSearchParams): Pick<SearchProps, 'search' | 'state'> {
  return {
    search: (address.get('text') ?? '').slice(0, longestSearch),
    state: stateOf(address.get('state') ?? ''),
  }
}

/** Whether nothing outside of a form was gone to, such as a dialog or a link. */
function isFocusLeftTo(form: HTMLFormElement): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || form.contains(focused)
}

/** The search; Enter on a whole barcode, as a scanner types it, opens its component. */
export function SearchForm({ search, state, onSearch, onState }: SearchProps) {
  const [, navigate] = useLocation()
  const [fault, setFault] = useState<string | undefined>(undefined)
  const company = useScannersOfCompany()

  const lookup = useRef<AbortController>(null)
  // Whoever goes on to something else is not led away from it by a late answer.
  useEffect(() => () => lookup.current?.abort(), [search, state])

  async function open(form: HTMLFormElement): Promise<void> {
    lookup.current?.abort()
    lookup.current = new AbortController()
    const { signal } = lookup.current
    try {
      const barcode = await findFirst(codesMeant(search.trim(), company), signal)
      if (barcode !== null && !signal.aborted && isFocusLeftTo(form)) navigate(componentPath(barcode))
    } catch (error) {
      if (!signal.aborted) setFault(messageOf(error))
    }
  }

  return (
    <form
      role="search"
      className="grid items-start print:hidden gap-3 border-b border-line p-4 sm:grid-cols-[1fr_8rem]"
      onSubmit={(event) => {
        event.preventDefault()
        // What is scanned next, where no component is opened, takes its place.
        event.currentTarget.querySelector('input')?.select()
        open(event.currentTarget).catch(reportError)
      }}
    >
      <SearchField
        label="Search"
        keys={[['Enter', 'open the component with exactly this barcode']]}
        placeholder="Barcode or description"
        maxLength={longestSearch}
        value={search}
        error={fault}
        onChange={(event) => {
          setFault(undefined)
          onSearch(event.target.value)
        }}
      />
      <SelectField
        label="Show"
        options={states}
        value={state}
        onChange={(event) => onState(stateOf(event.target.value))}
      />
    </form>
  )
}
