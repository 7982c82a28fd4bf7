import { createServer } from 'node:net'

/** Rejects with the system's error (EADDRINUSE, EACCES) when nothing can listen there; before any work is done. */
export async function requireFreePort({ port, host }: { port: number; host: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}
