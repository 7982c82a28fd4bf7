import { maxSoughtLength } from '@inventory-manager/contract/sought-text'
import { searchComponents } from '@inventory-manager/contract/stock/component-endpoints'
import { soughtWords } from '@inventory-manager/contract/stock/sought-words'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { componentPath } from '../lib/paths.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesMeant } from '../scanning/meant.ts'
import { findFirst } from '../api/find-component.ts'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { FoundStatus } from '../ui/found-status.tsx'
import { useSettled } from '../ui/use-settled.ts'
import type { screensFor } from './screens.tsx'

type Screens = ReturnType<typeof screensFor>

/** Somewhere to go: a screen, or the page of a component. */
type Goal = { path: string; name: string; more: string }

/** As many components as are read at a glance. */
const shownComponents = '6'

const settledMs = 150

function goalsAmong(screens: Screens, text: string): Goal[] {
  const words = soughtWords(text)
  return screens
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map(({ path, label }) => ({ path, name: label, more: 'Screen' }))
}

function found(text: string) {
  return queryOptions({
    queryKey: [searchComponents.path, 'go to', text],
    queryFn: async ({ signal }): Promise<Goal[]> => {
      const { components } = await call(
        searchComponents,
        { query: { text, state: 'active', sort: 'barcode', limit: shownComponents } },
        { signal },
      )
      return components.map(({ barcode, description }) => ({
        path: componentPath(barcode),
        name: barcode,
        more: description,
      }))
    },
  })
}

/** What a text may mean, as far as it is known by now: screens at once, components a moment after the last letter. */
function useGoals(screens: Screens, text: string) {
  const settled = useSettled(text, settledMs)
  const components = useQuery({
    ...found(settled),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  })
  // What the text before found stays until it is known what this one finds.
  const isCurrent = settled === text && !components.isFetching
  const goals = [...goalsAmong(screens, text), ...(text === '' ? [] : (components.data ?? []))]
  return { goals, isCurrent, error: components.error }
}

type GoalListProps = { id: string; goals: readonly Goal[]; active: number; onChoose: (goal: Goal) => void }

function GoalList({ id, goals, active, onChoose }: GoalListProps) {
  const shown = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [active])
  return (
    <div id={id} role="listbox" aria-label="Where to" className="mt-3 h-[50dvh] overflow-y-auto">
      {goals.map((goal, index) => (
        // The field has the keys; what is pressed here by a finger or a mouse is chosen.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={goal.path}
          id={`${id}-${index}`}
          ref={index === active ? shown : undefined}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onClick={() => onChoose(goal)}
          className={classNames(
            'flex min-h-12 cursor-pointer items-center justify-between gap-4 rounded-control px-3 lg:min-h-9 lg:text-sm',
            index === active ? 'bg-accent-soft text-accent-text' : 'hover:bg-sunken',
          )}
        >
          <span
            className={classNames(
              'max-w-3/5 shrink-0 truncate',
              goal.more === 'Screen' ? 'font-medium' : 'font-mono',
            )}
          >
            {goal.name}
          </span>
          <span className="truncate text-sm text-muted">{goal.more}</span>
        </div>
      ))}
    </div>
  )
}

/** Where a text leads to that was entered before it was known: what has it as a barcode, or the first of what it finds. */
function useLookup() {
  const company = useScannersOfCompany()
  const lookup = useRef<AbortController>(null)
  useLayoutEffect(() => () => lookup.current?.abort(), [])
  return async (text: string): Promise<Goal | null | 'overtaken'> => {
    lookup.current?.abort()
    const controller = new AbortController()
    lookup.current = controller
    const { signal } = controller
    try {
      const barcode = await findFirst(codesMeant(text, company), signal)
      const [first = null] = barcode === null ? await queryClient.fetchQuery(found(text)) : []
      if (signal.aborted) return 'overtaken'
      return barcode === null ? first : { path: componentPath(barcode), name: barcode, more: '' }
    } catch (error) {
      if (signal.aborted) return 'overtaken'
      throw error
    }
  }
}

/** Goes to any screen, or to a component by a part of its barcode, description or bin. */
export function GoToDialog({ screens, onClose }: { screens: Screens; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const text = typed.trim()
  const { goals, isCurrent, error } = useGoals(screens, text)
  const lookUp = useLookup()
  useLayoutEffect(() => field.current?.focus(), [])

  function go({ path }: Goal): void {
    onClose()
    navigate(path)
  }

  async function enter(): Promise<void> {
    const goal = goals[active]
    const isKnown = goal !== undefined && (isCurrent || active > 0 || goal.more === 'Screen')
    if (isKnown) {
      go(goal)
      return
    }
    try {
      const meant = await lookUp(text)
      if (meant === null) setFault(`Nothing found for "${text}".`)
      else if (meant !== 'overtaken') go(meant)
    } catch (failure) {
      setFault(messageOf(failure))
    }
  }

  function move(by: number): void {
    setActive(Math.max(0, Math.min(goals.length - 1, active + by)))
  }

  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          enter().catch(reportError)
        }}
      >
        <TextField
          ref={field}
          autoComplete="off"
          enterKeyHint="go"
          label="Screen or component"
          placeholder="Name of a screen, barcode, bin or description"
          maxLength={maxSoughtLength}
          role="combobox"
          aria-expanded={goals.length > 0}
          aria-controls={listId}
          aria-activedescendant={goals.length > 0 ? `${listId}-${active}` : undefined}
          value={typed}
          error={fault ?? (error === null ? undefined : messageOf(error))}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
            setFault(undefined)
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step === undefined) return
            event.preventDefault()
            move(step)
          }}
        />
      </form>
      <FoundStatus found={text !== '' && isCurrent ? goals.length : null} />
      <GoalList id={listId} goals={goals} active={active} onChoose={go} />
    </Dialog>
  )
}
