import { classNames } from '../ui/class-names.ts'

type Placed = { bin?: string | undefined }

/** Where an item lies, for whoever walks along the shelves; nothing where nobody said so. `most`: the class of its width at most. */
export function Bin({ bin, most }: Placed & { most: string }) {
  return bin === undefined ? null : (
    <span className={classNames('shrink-0 truncate font-sans text-sm font-medium', most)}>Bin {bin}</span>
  )
}

/** The line of a list that says where an item lies and what it is. */
export function Described({ bin, description }: Placed & { description: string }) {
  return (
    <span className="flex w-full gap-2 text-sm">
      <Bin bin={bin} most="max-w-3/4" />
      <span dir="auto" className="truncate text-muted">
        {description || 'No Description'}
      </span>
    </span>
  )
}
