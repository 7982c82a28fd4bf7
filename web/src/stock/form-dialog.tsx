import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { useShown } from '../ui/use-shown.ts'
import { faultOf } from './form-fault.ts'
import { refreshStock } from './queries.ts'

type FormProps<Saved> = {
  title: string
  submit: string
  /** What the button says that leaves it. */
  leave?: string
  onClose: () => void
  /** Does it and says what was done; null where what is wrong stands beside its field. What it throws is shown. */
  save: (form: HTMLFormElement) => Promise<Saved | null>
  onSaved: (saved: Saved) => void
  children: ReactNode
}

/** A dialog with a form, which can be tried again with something else. */
export function FormDialog<Saved = string>(props: FormProps<Saved>) {
  const { title, submit, leave = 'Cancel', onClose, save, onSaved, children } = props
  const formId = useId()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const isShown = useShown()

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      const saved = await save(event.currentTarget)
      if (saved === null) {
        setBusy(false)
        return
      }
      refreshStock().catch(reportError)
      onSaved(saved)
      if (isShown()) onClose()
    } catch (error) {
      const { words, isSent } = faultOf(error)
      // What failed here may have been done: an answer can be lost.
      if (isSent) refreshStock().catch(reportError)
      setFault(words)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{leave}</Button>
          <Button look="primary" submits form={formId} disabled={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        {fault !== null && <Fault text={fault} />}
        {children}
      </form>
    </Dialog>
  )
}
