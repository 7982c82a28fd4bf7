import { useQuery } from '@tanstack/react-query'

/** Empty modules that a QR code needs on each side (ISO/IEC 18004). */
const quiet = 4

/** The QR code of a link, to be scanned by the device that is to open it. Its space is there before it is. */
export function LinkPicture({ address }: { address: string }) {
  const { data, isError } = useQuery({
    queryKey: ['link-symbol', address],
    queryFn: async () => await (await import('./link-symbol.ts')).drawLink(address),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  // The link itself stands above and works without.
  if (isError) return null
  const side = data === undefined ? 0 : data.size + 2 * quiet
  return (
    <figure className="flex flex-col items-center gap-2">
      {/* Black on white also where a person has set colours of their own: scanners read no other. */}
      <div className="size-48 rounded-card bg-white forced-color-adjust-none">
        {data !== undefined && (
          <svg
            role="img"
            aria-label="QR code of the link"
            viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
            shapeRendering="crispEdges"
            className="size-full text-black"
          >
            <path d={data.path} fill="currentColor" />
          </svg>
        )}
      </div>
      <figcaption className="text-sm text-muted">Or scan this with the device that is to open it.</figcaption>
    </figure>
  )
}
