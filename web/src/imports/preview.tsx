import {
  cancelImport,
  commitImport,
  listImportRows,
  previewImport,
  type ImportPreview,
  type ImportRecord,
  type ImportState,
} from '@inventory-manager/contract/imports/endpoints'
import type { ImportRowKind } from '@inventory-manager/contract/imports/preview-row'
import { howMany } from '@inventory-manager/contract/numbers'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError, isRefusal, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useCompanyCurrency } from '../session/company-settings.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/fault.tsx'
import { Checkbox } from '../ui/field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { useShown } from '../ui/use-shown.ts'
import { columnsFor } from './preview-columns.tsx'
import { PreviewNotes } from './preview-notes.tsx'
import { refreshImports } from './queries.ts'
import { RefusedFile } from './refused-file.tsx'

const kinds: readonly { kind: ImportRowKind; label: string; empty: string }[] = [
  { kind: 'bad', label: 'Cannot be taken', empty: 'Every row can be taken' },
  { kind: 'new', label: 'New', empty: 'No new components' },
  { kind: 'changed', label: 'Changed', empty: 'Nothing changes' },
  { kind: 'unchanged', label: 'Unchanged', empty: 'No row is as it is already' },
]

const emptyOf = (kind: ImportRowKind) => kinds.find((each) => each.kind === kind)?.empty ?? ''

/** Which rows are shown: those of a kind, or of the new ones those that have a code alone. */
type Shown = ImportRowKind | 'bare'

const kindOf = (shown: Shown): ImportRowKind => (shown === 'bare' ? 'new' : shown)

/** The staged rows that are shown by line, page by page. */
function useRows(id: string, shown: Shown) {
  const query = { kind: kindOf(shown), ...(shown === 'bare' ? { only: shown } : {}) }
  return useInfiniteQuery({
    queryKey: [listImportRows.path, id, shown],
    queryFn: ({ pageParam, signal }) =>
      call(listImportRows, { params: { id }, query: { ...query, after: String(pageParam) } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_after,
  })
}

type RowsProps = { list: ReturnType<typeof useRows>; kind: ImportRowKind }

function Rows({ list, kind }: RowsProps) {
  const currency = useCompanyCurrency()
  const failure = list.error === null ? null : `The rows could not be loaded: ${messageOf(list.error)}`
  const rows = list.data?.pages.flatMap((page) => page.rows)
  return (
    <>
      <ListFailure list={list} failure={failure} />
      {rows === undefined && failure === null && <Loading label="Loading rows..." />}
      {rows?.length === 0 && <EmptyState title={emptyOf(kind)} />}
      {rows !== undefined && rows.length > 0 && (
        <div
          className="max-h-[50dvh] overflow-auto [--table-top:0px]"
          role="region"
          aria-label="Rows"
          tabIndex={0}
        >
          <DataTable
            label="Rows"
            columns={columnsFor(kind, rows, currency)}
            rows={rows}
            keyOf={({ line }) => String(line)}
            cards="tablet"
          />
          <ListEnd list={list} failure={failure} more="Show more" />
        </div>
      )}
    </>
  )
}

type Counts = Record<ImportRowKind, number>

const comparing = 'Comparing the rows with what there is...'

/** Which kind of rows is shown. */
function KindChoice(props: { rows: Counts; active: Shown; onChoose: (kind: ImportRowKind) => void }) {
  return (
    <div role="group" aria-label="Kinds of rows" className="grid grid-cols-2 gap-2 lg:grid-cols-4">
      {kinds.map(({ kind, label }) => (
        <Button
          key={kind}
          look={kind === props.active ? 'primary' : 'secondary'}
          aria-pressed={kind === props.active}
          onClick={() => props.onChoose(kind)}
        >
          {label}: {formatNumber(props.rows[kind])}
        </Button>
      ))}
    </div>
  )
}

type PreviewProps = {
  id: string
  /** How costs such as 1.234 were read, as their column decided; null where it did not. */
  readAs: string | null
  onDone: (record: ImportRecord, withoutStock: boolean) => void
  onCancelled: () => void
  /** To the columns of the file, once what is staged of it is dropped; null where the file is not here. */
  onBack: (() => void) | null
}

type DecisionProps = {
  data: ImportPreview
  busy: boolean
  fault: string | null
  onCommit: (leaveOutBad: boolean) => void
  /** Drops what is staged, and then goes on. */
  onDrop: (then: () => void) => void
} & Pick<PreviewProps, 'onBack' | 'onCancelled'>

/** What has to be ticked before anything is taken. */
function questionsOf({ rows: { bad }, shortened, lengthened }: ImportPreview) {
  const unlike = (shortened?.rows ?? 0) + (lengthened?.rows ?? 0)
  const alike =
    unlike === 1 ? 'that differs by zeros is a new component' : 'that differ by zeros are new components'
  const questions = [
    { about: 'bad', rows: bad, label: `Leave out the ${formatNumber(bad)} that cannot be taken` },
    { about: 'zeros', rows: unlike, label: `The ${formatNumber(unlike)} ${alike} all the same` },
  ]
  return questions.filter(({ rows }) => rows > 0)
}

/** All good rows together, or none. */
function Decision(props: DecisionProps) {
  const { data, busy, fault, onCommit, onDrop, onBack, onCancelled } = props
  const { import: staged, rows } = data
  const [ticked, setTicked] = useState<readonly string[]>([])
  const questions = questionsOf(data)
  const good = rows.new + rows.changed + rows.unchanged
  const blocked = good === 0 || questions.some(({ about }) => !ticked.includes(about))
  return (
    <div className="flex flex-col gap-3 p-4">
      {rows.bad > 0 && <RefusedFile of={staged} />}
      {questions.map(({ about, label }) => (
        <Checkbox
          key={about}
          label={label}
          checked={ticked.includes(about)}
          onChange={({ target }) =>
            setTicked(target.checked ? [...ticked, about] : ticked.filter((each) => each !== about))
          }
        />
      ))}
      <p className="text-sm text-muted">
        All rows are taken together, or none. You can undo the import later.
      </p>
      {/* Beside what was pressed: the head of the card is far away on a handheld. */}
      {fault !== null && <Fault text={fault} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" disabled={busy || blocked} onClick={() => onCommit(ticked.includes('bad'))}>
          {busy ? 'Working...' : `Import ${howMany(good, 'row')}`}
        </Button>
        {onBack !== null && (
          <Button disabled={busy} onClick={() => onDrop(onBack)}>
            Back to the columns
          </Button>
        )}
        <Button disabled={busy} onClick={() => onDrop(onCancelled)}>
          Cancel import
        </Button>
      </div>
    </div>
  )
}

/** Whether a refusal says of an import that it was closed without having done anything. */
async function isDropped(failure: unknown, id: string): Promise<boolean> {
  if (!(failure instanceof ApiError) || failure.code !== 'import_closed') return false
  const { status } = (await call(previewImport, { params: { id } })).import
  return status === 'cancelled' || status === 'expired'
}

/** Takes or drops a staged import; what the server says against it is shown. */
function useDecision({ id, onDone }: PreviewProps) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const once = useOnce()
  const isShown = useShown()

  async function decide(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setFault(null)
    try {
      await work()
    } catch (failure) {
      setFault(messageOf(failure))
      setBusy(false)
      // What is shown is not so any more. Where no answer came it stays, to be tried again.
      if (isRefusal(failure)) refreshImports().catch(reportError)
    }
  }

  return {
    busy,
    fault,
    commit: (leaveOutBad: boolean) =>
      decide(async () => {
        const input = { params: { id }, body: { leave_out_bad: leaveOutBad } }
        const reply = await once(input, (idempotencyKey) => call(commitImport, input, { idempotencyKey }))
        // Another import may have been opened meanwhile.
        if (isShown()) onDone(reply.import, reply.without_stock === true)
        else await refreshImports()
      }),
    drop: (then: () => void) =>
      decide(async () => {
        const input = { params: { id } }
        try {
          await once(input, (idempotencyKey) => call(cancelImport, input, { idempotencyKey }))
        } catch (failure) {
          // What was dropped already, in another tab or by a colleague, is so as well.
          if (!(await isDropped(failure, id))) throw failure
        }
        if (isShown()) then()
        else await refreshImports()
      }),
  }
}

type ProspectProps = PreviewProps & {
  data: ImportPreview
  /** Why what is shown could not be compared once more; null where it could. */
  failure: ReactNode
}

function Prospect({ data, failure, ...props }: ProspectProps) {
  const { rows } = data
  const { id, readAs, onBack, onCancelled } = props
  const [chosen, setChosen] = useState<Shown | null>(null)
  const { busy, fault, commit, drop } = useDecision(props)
  const active = chosen ?? kinds.find(({ kind }) => rows[kind] > 0)?.kind ?? 'new'
  const list = useRows(id, active)
  // Rows that arrive would push the buttons below them away from the finger that presses one.
  if (chosen === null && list.isPending) return <Loading label={comparing} />
  return (
    <Card title="3. What the import would do" flush>
      <div className="flex flex-col gap-4 border-b border-line p-4">
        {failure}
        <KindChoice rows={rows} active={active} onChoose={setChosen} />
        <PreviewNotes
          {...data}
          onBare={() => setChosen('bare')}
          isHere={onBack !== null}
          readAs={readAs}
          pages={list.data?.pages}
        />
      </div>
      <div className="border-b border-line">
        <Rows list={list} kind={kindOf(active)} />
      </div>
      <Decision
        data={data}
        busy={busy}
        fault={fault}
        onCommit={(leaveOutBad) => void commit(leaveOutBad)}
        onDrop={(then) => void drop(then)}
        onBack={onBack}
        onCancelled={onCancelled}
      />
    </Card>
  )
}

const endings: Record<Exclude<ImportState, 'staged'>, string> = {
  done: 'it is finished',
  undone: 'it was finished and undone',
  cancelled: 'it was cancelled',
  expired: 'it has expired',
}

/** Says of an import that somebody else has closed what became of it. */
function Closed({ name, ending, onLeave }: { name: string; ending: string; onLeave: () => void }) {
  return (
    <Card title="3. What the import would do">
      <div className="flex flex-col items-start gap-3">
        <Banner tone="warn">
          {name} is no longer open: {ending}.
        </Banner>
        <Button onClick={onLeave}>Choose a file</Button>
      </div>
    </Card>
  )
}

/** What a staged import would do, and the decision about it. */
export function Preview(props: PreviewProps) {
  const { id, onCancelled } = props
  const { data, error, refetch } = useQuery({
    queryKey: [previewImport.path, id],
    queryFn: ({ signal }) => call(previewImport, { params: { id } }, { signal }),
    staleTime: Infinity,
  })
  const failure = error !== null && (
    <LoadFailure text={`The rows could not be compared: ${messageOf(error)}`} onRetry={refetch} />
  )
  if (data !== undefined && data.import.status !== 'staged') {
    const { name, status } = data.import
    return <Closed name={name} ending={endings[status]} onLeave={onCancelled} />
  }
  if (data !== undefined) return <Prospect {...props} data={data} failure={failure} />
  return error === null ? <Loading label={comparing} /> : failure
}
