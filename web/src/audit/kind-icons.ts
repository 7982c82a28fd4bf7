import type { AuditKind } from '@inventory-manager/contract/audit/rules'
import {
  CalendarCheck,
  ClipboardCheck,
  KeyRound,
  ScanBarcode,
  Settings,
  Tag,
  Upload,
  type LucideIcon,
} from 'lucide-react'

/** The icon of each kind of entry (specification 3, 'Audit row as displayed'). */
export const kindIcons: Record<AuditKind, LucideIcon> = {
  inventory_scan: ScanBarcode,
  weekly_count: CalendarCheck,
  monthly_count: ClipboardCheck,
  authentication: KeyRound,
  configuration: Settings,
  label_generation: Tag,
  bulk_import: Upload,
}
