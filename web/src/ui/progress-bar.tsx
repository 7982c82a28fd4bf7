import { classNames } from './class-names.ts'

type ProgressTone = 'accent' | 'good' | 'warn' | 'bad'

const fills: Record<ProgressTone, string> = {
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
}

type ProgressBarProps = { label: string; value: number; max: number; tone?: ProgressTone }

/**
 * How much of a whole is reached. It is moved, not widened: then no frame of the movement costs a layout of the page.
 * Set through the style object, which the content policy allows.
 */
export function ProgressBar({ label, value, max, tone = 'accent' }: ProgressBarProps) {
  const percent = max === 0 ? 0 : Math.min(100, (value / max) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className="h-2 overflow-hidden rounded-full bg-line"
    >
      <div
        className={classNames('h-full rounded-full transition-transform duration-200', fills[tone])}
        style={{ transform: `translateX(${percent - 100}%)` }}
      />
    </div>
  )
}
