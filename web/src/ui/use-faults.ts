import { useEffect, useRef, useState } from 'react'

/** What is wrong with the fields of a form, by the names of its inputs. */
export function useFaults<Field extends string>() {
  const [faults, setFaults] = useState<Partial<Record<Field, string>>>({})

  const gone = useRef<HTMLInputElement | null>(null)
  useEffect(() => {
    // The field is in sight with the focus; what is said below it may not be.
    const said = gone.current === null ? null : document.getElementById(`${gone.current.id}-error`)
    said?.scrollIntoView({ block: 'nearest' })
    gone.current = null
  }, [faults])

  /** Shows what was found and goes to the first field of it; whether there is none. */
  function accept(found: Partial<Record<Field, string>>, form: HTMLFormElement): boolean {
    setFaults(found)
    const [first] = Object.keys(found)
    if (first !== undefined) {
      gone.current = form.querySelector<HTMLInputElement>(`[name="${first}"]`)
      gone.current?.focus()
    }
    return first === undefined
  }

  /** What was said of a field is not true of what stands there now. */
  function forget(changed: object): void {
    setFaults((said) => {
      const left = { ...said }
      for (const field in left) if (field in changed) delete left[field]
      return left
    })
  }

  return { faults, accept, forget }
}
