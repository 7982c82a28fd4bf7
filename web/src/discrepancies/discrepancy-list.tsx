import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import {
  causeSentence,
  countTypeWords,
  statusWords,
} from '@inventory-manager/contract/discrepancies/messages'
import { rankedCauses } from '@inventory-manager/contract/discrepancies/pack-cause'
import {
  isAcceptedByPerson,
  isAsDecided,
  isDismissedByPerson,
} from '@inventory-manager/contract/discrepancies/rules'
import { signed } from '@inventory-manager/contract/signed'
import Lightbulb from 'lucide-react/icons/lightbulb'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { ownLocationNames, placeName } from '../session/place-names.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Who } from '../ui/who.tsx'
import { isUndecided, type Choice } from './choice.ts'
import { worthOf } from './worth.ts'

const statusTones: Record<Discrepancy['status'], BadgeTone> = {
  attempted: 'info',
  open: 'warn',
  recount: 'info',
  matched: 'good',
  accepted: 'good',
  dismissed: 'plain',
}

type FigureProps = {
  label: string
  value: string
  strong?: boolean
  /** The same in money. */
  worth?: string | null
}

function Figure({ label, value, strong = false, worth = null }: FigureProps) {
  return (
    <div className="flex min-w-max flex-1 flex-col items-end text-right">
      <dt className="order-1 text-xs text-muted">{label}</dt>
      <dd className={classNames('font-semibold tabular-nums', strong ? 'text-lg' : 'pt-1 text-base')}>
        {value}
      </dd>
      {worth !== null && (
        <dd className="order-2 text-sm font-medium whitespace-nowrap tabular-nums">{worth}</dd>
      )}
    </div>
  )
}

/** Beside each other and as wide as each other, or below where they are too long for that. */
function Figures({ item, currency }: { item: Discrepancy; currency: string | null }) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 max-sm:mt-2 sm:w-72 lg:w-96">
      <Figure label="Expected" value={formatNumber(item.expected)} />
      <Figure label="Counted" value={formatNumber(item.counted)} />
      <Figure label="Difference" value={signed(item.difference)} strong worth={worthOf(item, currency)} />
    </dl>
  )
}

/** Every entry that was made, so that guessing shows. */
function Attempts({ item }: { item: Discrepancy }) {
  return (
    <ol aria-label="Attempts" className="flex flex-col text-sm wrap-anywhere text-muted">
      {item.attempts.map(
        ({ id, attempt, counted, expected, user_name: who, timestamp, taken_back: back, note }) => (
          <li key={id} className="tabular-nums">
            {attempt}. <Who name={who} /> counted{' '}
            <span className="font-medium text-text">{formatNumber(counted)}</span>
            {expected !== item.expected && ` of ${formatNumber(expected)}`},{' '}
            <time dateTime={timestamp}>{formatMoment(timestamp)}</time>
            {back && ', taken back'}
            {note != null && (
              <span className="block text-text">
                {who}: “{note}”
              </span>
            )}
          </li>
        ),
      )}
    </ol>
  )
}

function Causes({ item }: { item: Discrepancy }) {
  const causes = rankedCauses(item)
  if (causes.length === 0) return null
  return (
    <ul aria-label="Likely causes" className="flex flex-col gap-1 text-sm wrap-anywhere">
      {causes.map((cause) => {
        const sentence = causeSentence(cause, formatMoment, ownLocationNames())
        return (
          <li key={sentence} className="flex gap-2">
            <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-warn-text" />
            {sentence}
          </li>
        )
      })}
    </ul>
  )
}

type Reopen = (item: Discrepancy) => void

/** What was decided, with the way back where a person did; once it is counted again, that somebody had asked for that. */
function Outcome({ item, onReopen }: { item: Discrepancy; onReopen: Reopen }) {
  const by = item.decided_by === null ? '' : ` by ${item.decided_by}`
  if (by === '' && item.status !== 'accepted') return null
  const said = [item.reason, item.note].filter((part) => part !== null && part !== '').join(': ')
  const decision = isAsDecided(item)
    ? `${statusWords[item.status]}${by}, ${formatMoment(item.updated_at)}`
    : `${statusWords.recount}${by}`
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 text-sm break-words text-muted">
        {decision}
        {said !== '' && `. ${said}`}
      </p>
      {(isDismissedByPerson(item) || isAcceptedByPerson(item)) && (
        <Button className="print:hidden" onClick={() => onReopen(item)}>
          Reopen
          <span className="sr-only">
            {item.sku} at {placeName(item.location)}
          </span>
        </Button>
      )}
    </div>
  )
}

type BoxProps = { item: Discrepancy; choice: Choice }

type RowProps = BoxProps & { currency: string | null; onReopen: Reopen }

function isChecked({ item, choice }: BoxProps): boolean {
  return isUndecided(item) && choice.isChosen(item.id)
}

/** Chooses a row, and says whether the keys or a pointer brought the focus there. */
function Box({ item, choice }: BoxProps) {
  return (
    <label className="grid size-12 shrink-0 place-items-center lg:size-9">
      <span className="sr-only">
        Choose {item.sku} at {placeName(item.location)}
      </span>
      <input
        type="checkbox"
        className="size-5 accent-accent disabled:opacity-30 lg:size-4"
        checked={isChecked({ item, choice })}
        disabled={!isUndecided(item)}
        onChange={() => choice.toggle(item.id)}
        onFocus={({ currentTarget }) => choice.stand(item.id, currentTarget.matches(':focus-visible'))}
      />
    </label>
  )
}

function Row({ item, choice, currency, onReopen }: RowProps) {
  const ref = useRef<HTMLLIElement>(null)
  const isActive = choice.active?.id === item.id
  // By the keys alone: a row that moved under a pointer would take the press away.
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const status = { tone: statusTones[item.status], word: statusWords[item.status] }
  return (
    <li
      ref={ref}
      aria-current={isActive ? 'true' : undefined}
      className={classNames(
        // Below the decisions, which stay in sight: two lines of them on a handheld.
        'flex scroll-mt-[calc(var(--table-top)+8.5rem)] scroll-mb-40 gap-1 **:scroll-mt-[calc(var(--table-top)+8.5rem)] desk:scroll-mt-[calc(var(--table-top)+5rem)] desk:**:scroll-mt-[calc(var(--table-top)+5rem)] border-t border-line py-3 pr-4 pl-1 first:border-t-0 sm:gap-2 sm:pl-2',
        isChecked({ item, choice }) && 'bg-accent-soft',
        isActive && 'shadow-[inset_3px_0_0_var(--color-accent)]',
      )}
    >
      <Box item={item} choice={choice} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="flex flex-wrap items-start justify-between gap-x-6">
          <div className="min-w-0 flex-1 basis-60">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link
                href={componentPath(item.sku)}
                className="font-mono font-medium wrap-anywhere underline-offset-2 hover:underline"
              >
                {item.sku}
              </Link>
              <Badge tone={status.tone}>{status.word}</Badge>
            </p>
            <p className="text-sm break-words">
              <bdi>{item.description || 'No Description'}</bdi>
            </p>
            <p className="text-sm wrap-anywhere text-muted">
              {placeName(item.location)}, {countTypeWords[item.count_type]}, <Who name={item.user_name} />,{' '}
              {formatMoment(item.scanned_at)}
            </p>
          </div>
          <Figures item={item} currency={currency} />
        </div>
        <Causes item={item} />
        <Attempts item={item} />
        <Outcome item={item} onReopen={onReopen} />
      </div>
    </li>
  )
}

type ListProps = {
  items: readonly Discrepancy[]
  choice: Choice
  /** In which money they are; null where costs are not said. */
  currency: string | null
  onReopen: Reopen
}

export function DiscrepancyList({ items, choice, currency, onReopen }: ListProps) {
  return (
    <ul aria-label="Differences">
      {items.map((item) => (
        <Row key={item.id} item={item} choice={choice} currency={currency} onReopen={onReopen} />
      ))}
    </ul>
  )
}
