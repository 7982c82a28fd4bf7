import { useId, type ComponentProps, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** The look of what is typed into. */
export const control =
  'w-full min-h-12 rounded-control border bg-surface px-3 text-base text-text placeholder:text-muted ' +
  'disabled:opacity-60 lg:min-h-9 lg:text-sm'

/** The browser's own button in a field for files, as high as the field. What it says beside that is never so. */
const fileControl =
  'pl-0 text-transparent! file:mr-3 file:h-12 file:border-0 file:bg-sunken file:px-4 file:font-medium file:text-text lg:file:h-9'

export function border(invalid: boolean): string {
  return invalid ? 'border-bad' : 'border-line-strong/70'
}

export type Labelled = { label: string; hint?: ReactNode; error?: string | undefined }

/** A field with its label above it, and below it what helps and what is wrong. */
export function Frame({ id, label, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm wrap-anywhere text-muted">
          {hint}
        </p>
      )}
      {/* There before it says anything: what comes with its text, screen readers do not always read. */}
      <p id={`${id}-error`} aria-live="polite" className="text-sm wrap-anywhere text-bad-text empty:-mt-1.5">
        {error}
      </p>
    </div>
  )
}

/** The ids of what is below a field. */
export function describedBy(
  id: string,
  { hint, error }: Pick<Labelled, 'hint' | 'error'>,
): string | undefined {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
  const present = ids.filter((part) => part !== false)
  return present.length === 0 ? undefined : present.join(' ')
}

type TextFieldProps = Labelled & Omit<ComponentProps<'input'>, 'id' | 'className'>

export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, { hint, error })}
        className={classNames(control, border(error !== undefined))}
      />
    </Frame>
  )
}

type FileInputProps = Pick<
  ComponentProps<'input'>,
  'accept' | 'disabled' | 'className' | 'id' | 'aria-describedby' | 'aria-invalid'
> & { onFile: (file: File) => void }

/** Takes one file and is emptied at once: browsers fire no change event when the same file is chosen again. */
export function FileInput({ onFile, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0]
        currentTarget.value = ''
        if (file !== undefined) onFile(file)
      }}
    />
  )
}

type FileFieldProps = Labelled &
  Pick<FileInputProps, 'accept' | 'disabled' | 'onFile'> & {
    /** The name of the file that was chosen. */
    chosen: string | null
  }

export function FileField({ label, hint, error, chosen, ...input }: FileFieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <FileInput
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-chosen ${describedBy(id, { hint, error }) ?? ''}`}
        className={classNames(control, fileControl, border(error !== undefined))}
      />
      <p id={`${id}-chosen`} className="text-sm wrap-anywhere">
        {chosen ?? 'No file is chosen.'}
      </p>
    </Frame>
  )
}

type TextAreaProps = Labelled & Omit<ComponentProps<'textarea'>, 'id' | 'className'>

export function TextArea({ label, hint, error, ...area }: TextAreaProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea
        {...area}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, { hint, error })}
        className={classNames(control, 'py-2 font-mono', border(error !== undefined))}
      />
    </Frame>
  )
}

type Option = { value: string; label: string }

type SelectFieldProps = Labelled &
  Omit<ComponentProps<'select'>, 'id' | 'className' | 'children'> & {
    options: readonly (Option | { group: string; options: readonly Option[] })[]
  }

function Choice({ value, label }: Option) {
  return <option value={value}>{label}</option>
}

export function SelectField({ label, hint, error, options, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select
        {...select}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, { hint, error })}
        // What of an option has no room is seen to be cut, as the browser alone does not show.
        className={classNames(control, 'text-ellipsis', border(error !== undefined))}
      >
        {options.map((option) =>
          'group' in option ? (
            <optgroup key={option.group} label={option.group}>
              {option.options.map((one) => (
                <Choice key={one.value} {...one} />
              ))}
            </optgroup>
          ) : (
            <Choice key={option.value} {...option} />
          ),
        )}
      </select>
    </Frame>
  )
}

type CheckboxProps = Pick<Labelled, 'label' | 'hint'> & Omit<ComponentProps<'input'>, 'type' | 'className'>

export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const hintOf = useId()
  const box = (
    <label className="flex min-h-12 items-center gap-3 text-base wrap-anywhere lg:min-h-9 lg:text-sm">
      <input
        aria-describedby={describedBy(hintOf, { hint })}
        {...input}
        type="checkbox"
        className="size-5 shrink-0 accent-accent lg:size-4"
      />
      {label}
    </label>
  )
  if (hint === undefined) return box
  return (
    <div>
      {box}
      <p id={`${hintOf}-hint`} className="text-sm wrap-anywhere text-muted">
        {hint}
      </p>
    </div>
  )
}
