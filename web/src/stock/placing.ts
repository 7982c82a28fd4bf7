import type { LocationCode } from '@inventory-manager/contract/locations'
import { placeComponents, type PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import { ApiError } from '../api/api-error.ts'
import { call, type CallOptions } from '../api/client.ts'

/** Places one component. Of several the server only names those that nothing in use is known by: of one it is a refusal. */
export async function placeComponent(
  location: LocationCode,
  row: PlacementRow,
  options: CallOptions,
): Promise<void> {
  const { not_found: missing } = await call(
    placeComponents,
    { body: { location, components: [row] } },
    options,
  )
  if (missing.length > 0) {
    const sentence = 'There is no component in use with this barcode.'
    throw new ApiError(sentence, { kind: 'reply', status: 404, code: 'not_found' })
  }
}
