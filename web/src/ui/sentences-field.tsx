import { useId, type ComponentProps, type KeyboardEvent } from 'react'
import { classNames } from './class-names.ts'
import { border, control, describedBy, Frame, type Labelled } from './field.tsx'

const lineEnds = /[\r\n]+/g

/** Presses what Enter presses in a field of one line: the button that sends its form, if it is in one. */
function pressDefault(form: HTMLFormElement | null): void {
  const buttons = [...(form?.elements ?? [])].filter((each) => each instanceof HTMLButtonElement)
  buttons.find(({ type }) => type === 'submit')?.click()
}

function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  pressDefault(event.currentTarget.form)
}

type SentencesFieldProps = Labelled &
  Pick<ComponentProps<'textarea'>, 'name' | 'value' | 'maxLength' | 'autoComplete'> & {
    onChange: (text: string) => void
  }

/**
 * A field for some sentences, all of which are seen as they are written. It holds no lines: Enter does what it does in a field of one
 * line, and of what is pasted or scanned with line ends these are spaces.
 */
export function SentencesField({ label, hint, error, onChange, ...area }: SentencesFieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea
        {...area}
        id={id}
        // Where the browser lets it grow, its least height is that of these rows.
        rows={3}
        enterKeyHint="done"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, { hint, error })}
        className={classNames(
          control,
          'field-sizing-content min-h-[calc(3lh+1rem+2px)]! py-2',
          border(error !== undefined),
        )}
        onKeyDown={onKeyDown}
        onChange={({ target }) => onChange(target.value.replaceAll(lineEnds, ' '))}
      />
    </Frame>
  )
}
