import { reinstateComponent, retireComponent } from '@inventory-manager/contract/stock/retire-endpoints'
import { call } from '../api/client.ts'
import { FormDialog } from './form-dialog.tsx'

type DialogProps = { barcode: string; onClose: () => void; onSaved: (words: string) => void }

export function RetireDialog({ barcode, onClose, onSaved }: DialogProps) {
  return (
    <FormDialog
      title={`Retire ${barcode}?`}
      submit="Retire"
      onClose={onClose}
      onSaved={onSaved}
      save={async () => {
        await call(retireComponent, { body: { barcode } })
        return `${barcode} is retired.`
      }}
    >
      <p>
        It leaves all lists, this month's counts and the weekly lists, and is no longer counted. Its history
        stays. You can bring it back here; an import of its barcode does so, too.
      </p>
    </FormDialog>
  )
}

export function ReinstateDialog({ barcode, onClose, onSaved }: DialogProps) {
  return (
    <FormDialog
      title={`Bring ${barcode} back?`}
      submit="Bring back"
      onClose={onClose}
      onSaved={onSaved}
      save={async () => {
        await call(reinstateComponent, { body: { barcode } })
        return `${barcode} is back in the lists.`
      }}
    >
      <p>It returns to all lists and must be counted again. Add it to weekly counts again if needed.</p>
    </FormDialog>
  )
}
