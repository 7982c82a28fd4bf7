import type { Endpoint, EndpointCall } from '@inventory-manager/contract/endpoint'
import { badReply, failureOf, send, type CallOptions } from './client.ts'

/** The name a reply gives its file: as it is (RFC 8187), or in ASCII. */
function nameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'download'
}

/** Takes a reply's bytes as they come, and tells of each piece. */
async function readBytes(
  response: Response,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw failureOf(error)
    })
    if (done) break
    pieces.push(value)
    onPiece(value)
  }
  return pieces
}

/** Calls an endpoint that answers with a file; `onPiece` gets its bytes as they come. */
export async function callForFile<E extends Endpoint>(
  endpoint: E,
  input: EndpointCall<E>,
  options: CallOptions & { onPiece?: (piece: Uint8Array<ArrayBuffer>) => void } = {},
): Promise<{ blob: Blob; name: string }> {
  const response = await send(endpoint, input, options)
  const type = response.headers.get('content-type') ?? ''
  // Of what stands between: no file of the server is a page.
  if (type.startsWith('text/html')) throw badReply(null, response.status)
  const pieces = await readBytes(response, options.onPiece ?? (() => undefined))
  return { blob: new Blob(pieces, { type }), name: nameOf(response.headers.get('content-disposition') ?? '') }
}
