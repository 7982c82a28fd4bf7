import X from 'lucide-react/icons/x'
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

const watchers = new Set<() => void>()

/** Calls whenever a dialog was closed, and the focus is back where it was. */
export function watchDialogs(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

type ModalProps = {
  title: string
  onClose: () => void
  /** Stays open whatever is pressed: it waits for what cannot be called back. */
  stays?: boolean
  /** Where it stands and how large it gets. */
  className: string
  isSheet?: boolean
  children: ReactNode
}

/**
 * The browser's own modal dialog, which keeps the focus inside, closes on Escape and gives the focus back. It begins at its title:
 * on a button, the Enter that a scanner ends a code with would press it.
 */
function Modal({ title, onClose, stays = false, className, isSheet, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  useEffect(
    () => () => {
      for (const watcher of watchers) watcher()
    },
    [],
  )
  useLayoutEffect(() => {
    const dialog = ref.current
    // Before it is painted: what somebody has focused by then, they keep.
    dialog?.showModal()
    heading.current?.focus()
    // Closing gives the focus back to where it was, also when the parent just stops showing the dialog. Not later than this:
    // a dialog that has left the page gives nothing back.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      data-sheet={isSheet}
      onClose={() => {
        if (ref.current?.open !== false) return
        // Escape closes it: a browser lets nobody refuse that twice.
        if (stays) ref.current.showModal()
        else onClose()
      }}
      className={classNames(
        'flex flex-col border border-line bg-surface text-text wrap-break-word shadow-raised backdrop:bg-black/50',
        className,
      )}
    >
      <header className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-4">
        <h2 ref={heading} id={titleId} tabIndex={-1} className="min-w-0 font-semibold wrap-anywhere">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close dialog"
          disabled={stays}
          onClick={() => ref.current?.close()}
          className="grid size-12 shrink-0 place-items-center rounded-control not-disabled:hover:bg-sunken disabled:opacity-50 lg:size-9"
        >
          <X aria-hidden className="size-5" />
        </button>
      </header>
      {children}
    </dialog>
  )
}

type DialogProps = Omit<ModalProps, 'className' | 'isSheet'> & { actions?: ReactNode }

/**
 * A modal dialog in the middle of the screen, as high as what it says, with what can be done at its foot; where the screen is
 * low, it scrolls as a whole.
 */
export function Dialog({ children, actions, ...modal }: DialogProps) {
  return (
    <Modal {...modal} className="m-auto max-h-[90dvh] w-[min(40rem,calc(100vw-2rem))] rounded-card low:block">
      <div className="scroll-shade min-h-0 flex-1 overflow-auto p-4 low:overflow-visible">{children}</div>
      {actions !== undefined && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line p-3">{actions}</footer>
      )}
    </Modal>
  )
}

/** Closes the sheet that lies over the screen, where one does. */
export function closeSheet(): void {
  document.querySelector<HTMLDialogElement>('dialog[data-sheet][open]')?.close()
}

/** A modal dialog that comes up from the foot of a handheld's screen and takes nearly all of it; what is in it runs to its edges. */
export function Sheet({ children, ...modal }: Omit<ModalProps, 'className' | 'isSheet' | 'stays'>) {
  return (
    <Modal
      {...modal}
      isSheet
      className="mx-auto mt-auto mb-0 h-[92dvh] max-h-none w-full max-w-3xl rounded-t-card transition-transform duration-150 starting:translate-y-full"
    >
      <div className="flex min-h-0 flex-1 flex-col overflow-auto [--list-height:none]">{children}</div>
    </Modal>
  )
}
