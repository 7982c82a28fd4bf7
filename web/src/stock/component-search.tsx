import { planLocations, type PlanKey } from '@inventory-manager/contract/plans'
import type { Role } from '@inventory-manager/contract/roles'
import { maxSoughtLength } from '@inventory-manager/contract/sought-text'
import type { ComponentSort, ComponentState } from '@inventory-manager/contract/stock/component-endpoints'
import Camera from 'lucide-react/icons/camera'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { componentPath } from '../lib/paths.ts'
import { cameraPanel } from '../scanning/camera-part.tsx'
import { readCode } from '../scanning/codes.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesMeant } from '../scanning/meant.ts'
import { plainScanner } from '../scanning/settings.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import type { KeyWords } from '../ui/keys.tsx'
import { Loading } from '../ui/loading.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { findFirst } from '../api/find-component.ts'

/** What the list shows: the components of a state, of those that are not kept, or low, the ones that are so where somebody works. */
export type Choice = ComponentState | 'low_here'

/** What the list is asked for. */
export type Sought = { search: string; choice: Choice; sort: ComponentSort }

type SearchProps = Sought & {
  onSearch: (text: string) => void
  onChoice: (choice: Choice) => void
  onSort: (sort: ComponentSort) => void
}

const choices = [
  { value: 'active', label: 'In use' },
  { value: 'low', label: 'Low' },
  { value: 'low_here', label: 'Low here' },
  { value: 'not_kept', label: 'Not kept' },
  { value: 'uncosted', label: 'No unit cost' },
  { value: 'retired', label: 'Retired' },
] as const satisfies readonly { value: Choice; label: string }[]

const sorts = [
  { value: 'barcode', label: 'Barcode' },
  { value: 'description', label: 'Description' },
  { value: 'here', label: 'Most here' },
  { value: 'total', label: 'Most in all' },
  { value: 'counted', label: 'Oldest count' },
] as const satisfies readonly { value: ComponentSort; label: string }[]

function sortOf(text: string): ComponentSort {
  return sorts.find(({ value }) => value === text)?.value ?? 'barcode'
}

type Chooser = { plan: PlanKey; role: Role }

/** Where a plan has one location only, all that is low is low there, and all is kept there; costs are told to administrators alone. */
function choicesOf({ plan, role }: Chooser) {
  const left = new Set<Choice>()
  if (planLocations(plan).length === 1) for (const here of ['low_here', 'not_kept'] as const) left.add(here)
  if (role !== 'admin') left.add('uncosted')
  return choices.filter(({ value }) => !left.has(value))
}

function choiceOf(text: string, chooser: Chooser): Choice {
  const asked = choices.find(({ value }) => value === text)?.value ?? 'active'
  const isOffered = choicesOf(chooser).some(({ value }) => value === asked)
  if (isOffered) return asked
  return asked === 'low_here' ? 'low' : 'active'
}

/** What an address of the screen asks for, of what somebody can choose. */
export function soughtIn(address: URLSearchParams, chooser: Chooser): Sought {
  return {
    search: (address.get('text') ?? '').slice(0, maxSoughtLength),
    choice: choiceOf(address.get('state') ?? '', chooser),
    sort: sortOf(address.get('sort') ?? ''),
  }
}

/** The same as the address names it: only what is not as usual. */
export function addressOf({ search, choice, sort }: Sought): Record<string, string> {
  return {
    text: search.trim(),
    state: choice === 'active' ? '' : choice,
    sort: sort === 'barcode' ? '' : sort,
  }
}

/** Whether nothing outside of a form was gone to, such as a dialog or a link. */
function isFocusLeftTo(form: HTMLFormElement): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || form.contains(focused)
}

type Lookup = { search: string; choice: Choice; controller: AbortController }

/** Goes to the component of a code, as long as nothing else is searched or gone to meanwhile. */
function useOpening({ search, choice }: Pick<SearchProps, 'search' | 'choice'>) {
  const [, navigate] = useLocation()
  const [fault, setFault] = useState<string | undefined>(undefined)
  const company = useScannersOfCompany()
  const form = useRef<HTMLFormElement>(null)
  const lookup = useRef<Lookup>(null)
  useEffect(() => {
    // Whoever goes on to something else is not led away from it by a late answer.
    const { current } = lookup
    if (current?.search !== search || current.choice !== choice) current?.controller.abort()
  }, [search, choice])
  useEffect(() => () => lookup.current?.controller.abort(), [])

  /** `code`: as it was given, `shown`: as it stands in the search. */
  async function open({ code, shown }: { code: string; shown: string }): Promise<void> {
    lookup.current?.controller.abort()
    const controller = new AbortController()
    lookup.current = { search: shown, choice, controller }
    const { signal } = controller
    setFault(undefined)
    try {
      const barcode = await findFirst(codesMeant(code, company), signal)
      const isWanted = !signal.aborted && form.current !== null && isFocusLeftTo(form.current)
      if (barcode !== null && isWanted) navigate(componentPath(barcode))
    } catch (error) {
      if (!signal.aborted) setFault(messageOf(error))
    }
  }

  return { form, fault, setFault, open }
}

const searchKeys: KeyWords = [['Enter', 'open the component with exactly this barcode']]

type CameraProps = {
  onCode: (code: string) => void
  onClose: () => void
  /** A dialog was opened before it, at which nobody means what it reads. */
  onCovered: () => void
}

/** Reads one code; no scanner types here that it would have to wait for. */
function LookupCamera({ onCode, onClose, onCovered }: CameraProps) {
  const leave = useEffectEvent(onCovered)
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    // What it sees last, as it closes, leads nobody away who closed it.
    return () => {
      isOpen.current = false
    }
  }, [])
  useEffect(() => {
    // A dialog takes the focus as it opens.
    const listener = () => document.querySelector('dialog[open]') !== null && leave()
    document.addEventListener('focusin', listener)
    return () => document.removeEventListener('focusin', listener)
  }, [])
  return (
    <div className="col-span-full max-w-md">
      <Suspense fallback={<Loading label="Opening the camera..." />}>
        <cameraPanel.Content
          onCode={(code) => isOpen.current && onCode(code)}
          isScanning={() => false}
          onClose={onClose}
        />
      </Suspense>
    </div>
  )
}

/** The search; Enter on a whole barcode, as a scanner types it, opens its component, and so does what the camera reads. */
export function SearchForm({ search, choice, sort, onSearch, onChoice, onSort }: SearchProps) {
  const { form, fault, setFault, open } = useOpening({ search, choice })
  const { user } = useLocatedSession()
  const [camera, setCamera] = useState(false)
  const cameraButton = useRef<HTMLButtonElement>(null)

  function closeCamera(): void {
    setCamera(false)
    cameraButton.current?.focus()
  }

  function takeCode(code: string): void {
    closeCamera()
    // As a count reads a code that it does not know: of an element string the trade item number. A camera adds nothing around it.
    const read = readCode(code, plainScanner, () => false)
    const shown = read.code.slice(0, maxSoughtLength)
    onSearch(shown)
    open({ code, shown }).catch(reportError)
  }

  return (
    <form
      ref={form}
      role="search"
      className="grid grid-cols-[1fr_auto] items-start print:hidden gap-3 border-b border-line p-4 max-sm:px-3 lg:grid-cols-[1fr_auto_auto_auto]"
      onSubmit={(event) => {
        event.preventDefault()
        // What is scanned next, where no component is opened, takes its place.
        event.currentTarget.querySelector('input')?.select()
        open({ code: search.trim(), shown: search }).catch(reportError)
      }}
    >
      {camera && <LookupCamera onCode={takeCode} onClose={closeCamera} onCovered={() => setCamera(false)} />}
      <SearchField
        label="Search"
        keys={searchKeys}
        placeholder="Barcode, bin or description"
        maxLength={maxSoughtLength}
        value={search}
        error={fault}
        onChange={(event) => {
          setFault(undefined)
          onSearch(event.target.value)
        }}
      />
      <Button
        ref={cameraButton}
        // Beside a field, below the line and the space of its label.
        className="mt-[calc(var(--text-sm--line-height)+0.375rem)]"
        aria-pressed={camera}
        onClick={() => setCamera(!camera)}
      >
        <Camera aria-hidden className="size-5 lg:size-4" />
        <span className="max-sm:sr-only">Scan with the camera</span>
      </Button>
      {/* Beside each other where both are read whole. */}
      <div className="col-span-full flex flex-wrap gap-3 *:grow max-sm:gap-x-2 lg:contents">
        <SelectField
          label="Show"
          options={choicesOf(user)}
          value={choice}
          onChange={(event) => onChoice(choiceOf(event.target.value, user))}
        />
        <SelectField
          label="Sort by"
          options={sorts}
          value={sort}
          onChange={(event) => onSort(sortOf(event.target.value))}
        />
      </div>
    </form>
  )
}
