import { AppError } from '../platform/http/app-error.ts'

const sentence = 'There is no component with this barcode.'

/**
 * What a code is answered with that belongs to no component; `isNews` where it was kept for an administrator, `also` what else there is
 * to say.
 */
export function componentNotFound({ isNews, also }: { isNews?: true; also?: string } = {}): AppError {
  return new AppError('not_found', {
    sentence: also === undefined ? sentence : `${sentence} ${also}`,
    ...(isNews === undefined ? {} : { isNews }),
  })
}
