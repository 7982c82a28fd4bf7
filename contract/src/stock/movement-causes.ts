import { adjustReasons } from './adjusting.ts'

const causes: Record<string, string> = {
  import: 'Import',
  import_undone: 'Import undone',
  correction: 'Correction',
  discrepancy: 'Accepted difference',
  hidden: 'Not shown',
  transfer: 'Transfer',
  transfer_cancelled: 'Transfer cancelled',
  ...Object.fromEntries(Object.entries(adjustReasons).map(([cause, { name }]) => [cause, name])),
}

/** What people read for the cause of a movement; an unknown one is given back as it is. */
export function causeName(cause: string): string {
  return causes[cause] ?? cause
}
