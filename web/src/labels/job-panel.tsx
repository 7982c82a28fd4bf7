import type { LabelItem } from '@inventory-manager/contract/labels/layout'
import type { ReactNode } from 'react'
import { Card } from '../ui/card.tsx'
import { ActualSizeHint, JobProgressBar, JobSummary } from './job-card.tsx'
import { LabelOptions } from './label-options.tsx'
import { LabelPreview } from './label-preview.tsx'
import type { Printing } from './print-choice.ts'
import { SheetPicture } from './sheet-picture.tsx'
import type { LabelJob } from './use-label-job.ts'

type JobPanelProps = {
  printing: Printing
  sizeIsFixed?: boolean
  /** The first label; a made-up one where there is none yet. */
  example: LabelItem | null
  /** How many labels there will be. */
  labels: number
  job: LabelJob
  /** What cannot be printed, and the button that prints the rest. */
  children?: ReactNode
}

const madeUp: LabelItem = { barcode: 'SKU-1001', description: 'Hex bolt M8' }

/** What will come out of the printer: the label, the sheet, the choices, the cost; and how far it is. */
export function JobPanel({ printing, sizeIsFixed = false, example, labels, job, children }: JobPanelProps) {
  const { choice } = printing
  return (
    <Card title="Preview">
      <div className="flex flex-col gap-4">
        <LabelPreview item={example ?? madeUp} choice={choice} />
        <LabelOptions printing={printing} sizeIsFixed={sizeIsFixed} disabled={job.progress !== null} />
        <SheetPicture printing={printing} labels={labels} />
        <ActualSizeHint />
        <JobSummary printing={printing} labels={labels} />
        {children}
        {job.progress !== null && <JobProgressBar progress={job.progress} onCancel={job.cancel} />}
      </div>
    </Card>
  )
}
