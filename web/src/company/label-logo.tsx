import { setLabelLogo } from '@inventory-manager/contract/company/label-logo-endpoints'
import { getSettings } from '@inventory-manager/contract/company/settings-endpoints'
import { getLabelLogo } from '@inventory-manager/contract/labels/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { Fault } from '../ui/fault.tsx'
import { Checkbox } from '../ui/field.tsx'
import { dotsOf } from './logo-dots.ts'

/** Loads anew where the logo is shown. */
export const readLogo = () => readAnew(getSettings.path, getLabelLogo.path)

/** Prints the logo at this address on labels, or no more. */
function useLabelSwitch(logoUrl: string | null) {
  return useMutation({
    mutationFn: (on: boolean) =>
      readAnewAfter(async () => {
        const rows = on && logoUrl !== null ? [...(await dotsOf(logoUrl))] : null
        await call(setLabelLogo, { body: { rows } })
      }, readLogo),
  })
}

/** Whether labels print the logo, what it looks like there, and on which of them. */
export function LabelLogoSwitch({ logoUrl, on }: { logoUrl: string | null; on: boolean }) {
  const change = useLabelSwitch(logoUrl)
  const { data } = useQuery({
    queryKey: [getLabelLogo.path],
    queryFn: ({ signal }) => call(getLabelLogo, {}, { signal }),
    enabled: on,
  })
  const rows = on ? (data?.rows ?? null) : null
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        label="Also on labels"
        checked={change.isPending ? change.variables : on}
        disabled={change.isPending || logoUrl === null}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      {change.error !== null && <Fault text={messageOf(change.error)} />}
      {rows !== null && (
        <svg
          role="img"
          aria-label="Your logo as labels print it"
          viewBox={`0 0 ${rows[0]?.length ?? 0} ${rows.length}`}
          className="h-14 w-fit max-w-full rounded-sm border border-line-strong/60 bg-white p-1"
          shapeRendering="crispEdges"
        >
          <path d={rows.map(pathOf).join('')} />
        </svg>
      )}
      <p className="text-sm text-muted">
        Black and white, above the barcode of 4 x 1.5 in labels. Smaller labels have room for it only beside a
        QR code or Data Matrix, and ZPL files go without. The barcode stays as large as it is.
      </p>
    </div>
  )
}

/** The black dots of a row as a path. */
function pathOf(row: string, y: number): string {
  return [...row.matchAll(/1+/g)]
    .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join('')
}
