import type { ComponentProps, MouseEvent } from 'react'
import { classNames } from './class-names.ts'

type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:bg-accent-strong disabled:hover:bg-accent',
  secondary: 'bg-surface text-text border-line-strong/60 hover:bg-sunken',
  quiet: 'bg-transparent text-accent-text border-transparent hover:bg-accent-soft',
  danger: 'bg-bad text-on-accent border-transparent hover:brightness-95',
}

const base =
  'inline-flex min-h-12 items-center justify-center gap-2 rounded-control border px-4 text-base font-medium ' +
  'transition-colors duration-150 disabled:opacity-50 aria-disabled:opacity-50 lg:min-h-9 lg:px-3 lg:text-sm'

/** The classes of a button, for links that look like one. */
export function buttonClasses(look: ButtonLook): string {
  return classNames(base, looks[look])
}

type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  look?: ButtonLook
  submits?: boolean
  /** Does nothing for now, busy or at an end, and keeps the focus, which one that is `disabled` loses: that is for what may not be done. */
  rests?: boolean
}

export function Button({ look = 'secondary', submits = false, rests, className, ...rest }: ButtonProps) {
  const resting = { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }
  return (
    <button
      {...rest}
      {...(rests === true ? resting : {})}
      type={submits ? 'submit' : 'button'}
      className={classNames(buttonClasses(look), className)}
    />
  )
}
