import { AppError } from '../platform/http/app-error.ts'

/** What a code is answered with that belongs to no component; `isNews` where it was kept for an administrator. */
export function componentNotFound(extra: { isNews?: true } = {}): AppError {
  return new AppError('not_found', { sentence: 'There is no component with this barcode.', ...extra })
}
