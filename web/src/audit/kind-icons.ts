import type { AuditKind } from '@inventory-manager/contract/audit/rules'
import type { LucideIcon } from 'lucide-react'
import CalendarCheck from 'lucide-react/icons/calendar-check'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import KeyRound from 'lucide-react/icons/key-round'
import ScanBarcode from 'lucide-react/icons/scan-barcode'
import Settings from 'lucide-react/icons/settings'
import Tag from 'lucide-react/icons/tag'
import Upload from 'lucide-react/icons/upload'

/** The icon of each kind of entry. */
export const kindIcons: Record<AuditKind, LucideIcon> = {
  inventory_scan: ScanBarcode,
  weekly_count: CalendarCheck,
  monthly_count: ClipboardCheck,
  authentication: KeyRound,
  configuration: Settings,
  label_generation: Tag,
  bulk_import: Upload,
}
