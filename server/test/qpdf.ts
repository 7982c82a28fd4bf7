import { createRequire } from 'node:module'
import { z } from 'zod'
import createQpdf from '@neslinesli93/qpdf-wasm'

type Qpdf = {
  FS: { writeFile: (path: string, data: Uint8Array) => void }
  callMain: (args: string[]) => number
}
type CreateQpdf = (options: { locateFile: () => string; noInitialRun: true }) => Promise<Qpdf>

// The package's own types leave out what Emscripten gives every program.
const create = z.custom<CreateQpdf>((value) => typeof value === 'function').parse(createQpdf)

/** Whether `qpdf --check` finds a file sound, without an error or a warning. */
export async function isSoundPdf(pdf: Buffer): Promise<boolean> {
  const wasm = createRequire(import.meta.url).resolve('@neslinesli93/qpdf-wasm/dist/qpdf.wasm')
  const qpdf = await create({ locateFile: () => wasm, noInitialRun: true })
  qpdf.FS.writeFile('/labels.pdf', pdf)
  return qpdf.callMain(['--check', '/labels.pdf']) === 0
}
