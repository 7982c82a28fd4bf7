import { useEffect } from 'react'
import { createValue } from '../lib/value.ts'
import type { ScanEngine } from '../scanning/engine.ts'

/** Takes a code into the fields of the count that runs on the screen, as a scan does; null where none runs. */
export const countThis = createValue<((barcode: string) => void) | null>(null)

/** Lets what stands beside the fields count what is chosen there, such as an item whose label cannot be scanned. */
export function useCountThis({ take }: Pick<ScanEngine, 'take'>): void {
  useEffect(() => {
    countThis.set(take)
    return () => countThis.set(null)
  }, [take])
}
