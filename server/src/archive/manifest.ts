import { z } from 'zod'

export const archiveFormat = 'inventory-manager-archive'
export const archiveVersion = 1
export const manifestFile = 'manifest.json'

const archivedFile = z.object({
  name: z.string(),
  file: z.string(),
  columns: z.array(z.string()),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string(),
})

/** What `manifest.json` of an archive says (docs/archive.md). */
export const manifest = z.object({
  format: z.literal(archiveFormat),
  version: z.literal(archiveVersion),
  program: z.string(),
  created_at: z.iso.datetime(),
  company: z.object({ id: z.uuid(), name: z.string() }),
  tables: z.array(archivedFile),
})

export type Manifest = z.output<typeof manifest>
export type ArchivedFile = z.output<typeof archivedFile>
