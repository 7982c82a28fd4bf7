import { checkLabel } from '@inventory-manager/contract/labels/check-label'
import { getLabelLogo, labelSymbol } from '@inventory-manager/contract/labels/endpoints'
import { charactersWithoutFont, isDrawnOtherwise } from '@inventory-manager/contract/labels/label-letters'
import { layoutLabel, type LabelItem, type LabelLayout } from '@inventory-manager/contract/labels/layout'
import type { LabelLogo } from '@inventory-manager/contract/labels/logo'
import { darkRuns } from '@inventory-manager/contract/labels/matrix'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { labelSizes } from '@inventory-manager/contract/labels/sizes'
import { symbologies, type Matrix } from '@inventory-manager/contract/labels/symbologies'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { useCompanySettings } from '../session/company-settings.ts'
import { labelFont, useMeasureText } from './measure-text.ts'
import type { PrintChoice } from './print-choice.ts'

/** The modules of a QR code or Data Matrix, which the server makes as it will print them. */
function useMatrix(barcode: string, { symbology, size }: PrintChoice): Matrix | undefined {
  const printable = checkLabel(barcode, size, symbology) === null
  const { data } = useQuery({
    queryKey: [labelSymbol.path, symbology, barcode],
    queryFn: ({ signal }) =>
      call(
        labelSymbol,
        { query: { symbology: symbology === 'code128' ? 'qr' : symbology, barcode } },
        { signal },
      ),
    enabled: symbology !== 'code128' && printable,
    staleTime: Infinity,
  })
  return symbology === 'code128' ? undefined : data
}

/** The company's logo as labels print it; null where they go without. */
function useLabelLogo(): LabelLogo | null {
  const { data: settings } = useCompanySettings()
  const { data } = useQuery({
    queryKey: [getLabelLogo.path],
    queryFn: ({ signal }) => call(getLabelLogo, {}, { signal }),
    enabled: settings !== undefined && settings.logo !== null,
    staleTime: 300_000,
  })
  return settings?.logo == null ? null : (data?.rows ?? null)
}

type DotsProps = { rows: readonly string[]; x: number; y: number; side: number }

/** Black and white squares of one size. */
function Dots({ rows, x, y, side }: DotsProps) {
  return rows.flatMap((row, place) =>
    darkRuns(row).map(({ start, length }) => (
      <rect
        key={`${place} ${start}`}
        x={x + start * side}
        y={y + place * side}
        width={length * side}
        height={side}
      />
    )),
  )
}

function Symbol({ symbol }: { symbol: LabelLayout['symbol'] }) {
  const { x, y, module } = symbol
  if (symbol.kind === 'bars') {
    return symbol.stripes.map(({ start, width }) => (
      <rect key={start} x={x + start * module} y={y} width={width * module} height={symbol.height} />
    ))
  }
  return <Dots rows={symbol.rows} x={x} y={y} side={module} />
}

function Drawing({ item, layout }: { item: LabelItem; layout: LabelLayout }) {
  const { width, height, symbol, texts, logo } = layout
  return (
    <svg
      role="img"
      aria-label={`Label of ${item.barcode}`}
      viewBox={`0 0 ${width} ${height}`}
      style={{ width: `${width}pt` }}
      className="h-auto max-w-full rounded-sm border border-line-strong/60 bg-white"
      fill="#000"
      shapeRendering="crispEdges"
    >
      <Symbol symbol={symbol} />
      {logo !== null && <Dots rows={logo.rows} x={logo.x} y={logo.y} side={logo.dot} />}
      {texts.map(({ role, text, x, baseline, fontSize }) => (
        <text
          key={`${role} ${baseline}`}
          x={x}
          y={baseline}
          fontSize={fontSize}
          fontFamily={labelFont}
          style={{ whiteSpace: 'pre', fontKerning: 'none' }}
        >
          {text}
        </text>
      ))}
    </svg>
  )
}

/** How like its picture a label will be. */
function likenessOf(text: string, { format }: PrintChoice): string {
  if (format === 'zpl') return labelMessages.ownFont
  const lacking = charactersWithoutFont([text])
  if (lacking.length > 0) return labelMessages.noLetters(lacking)
  return isDrawnOtherwise(text) ? labelMessages.sideBySide : labelMessages.asSeen
}

/** One label at its true size, laid out by the code that lays out the file. */
export function LabelPreview({ item, choice }: { item: LabelItem; choice: PrintChoice }) {
  const measure = useMeasureText(`${item.description ?? ''}${item.barcode}`)
  const matrix = useMatrix(item.barcode, choice)
  const logo = useLabelLogo()
  const isZpl = choice.format === 'zpl'
  const { width, height } = labelSizes[choice.size]
  const refusal = checkLabel(item.barcode, choice.size, choice.symbology)
  const waits = choice.symbology !== 'code128' && matrix === undefined
  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      {refusal === null && !waits ? (
        <Drawing
          item={item}
          layout={layoutLabel(item, {
            size: choice.size,
            dpi: choice.dpi,
            measure,
            logo: isZpl ? null : logo,
            printerFont: isZpl,
            encodeMatrix: matrix === undefined ? undefined : () => matrix,
          })}
        />
      ) : (
        <p
          style={{ width: `${width}in`, aspectRatio: `${width} / ${height}` }}
          className="grid max-w-full place-items-center rounded-sm border border-dashed border-line-strong p-3 text-center text-sm text-muted"
        >
          {refusal === null ? 'Drawing the label...' : 'This label cannot be printed.'}
        </p>
      )}
      <figcaption className="text-sm text-muted">
        {width} x {height} in, {symbologies[choice.symbology].name}, {choice.dpi} dpi.{' '}
        {likenessOf(item.description ?? '', choice)}
      </figcaption>
    </figure>
  )
}
