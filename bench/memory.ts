/** Resident memory of a node's process in MB, as its metrics say. */
export async function memoryOf(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const [, bytes = 'NaN'] = /^process_resident_memory_bytes (\S+)/m.exec(text) ?? []
  return Number(bytes) / 1_000_000
}
