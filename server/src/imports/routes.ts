import {
  cancelImport,
  commitImport,
  createImport,
  listImportRows,
  listImports as listEndpoint,
  previewImport,
  stageRows,
  undoImport,
  type ImportRecord,
} from '@inventory-manager/contract/imports/endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { pageOf } from '../platform/http/page.ts'
import { countKinds, getImport, listImports, listRows, type ImportRow } from './queries.ts'
import { begin, cancel, commit, stage, undo } from './service.ts'

function present(row: ImportRow): ImportRecord {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    keep_existing: row.keep_existing,
    staged_rows: row.staged_rows,
    awaits_end: row.awaits_end,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    left_out: row.left_out,
    reinstated: row.reinstated,
    retired: row.retired,
    user_name: row.user_name,
    timestamp: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    undone_by: row.undone_by,
    undone_at: row.undone_at?.toISOString() ?? null,
  }
}

export function importRoutes(bind: Binder): void {
  bind.member(createImport, async ({ tx, actor, body }) => ({
    success: true,
    import: present(await begin(tx, actor, body)),
  }))

  bind.member(stageRows, async ({ tx, actor, params, body }) => ({
    success: true,
    staged_rows: await stage(tx, actor, { ...body, id: params.id }),
  }))

  bind.member(previewImport, async ({ tx, params }) => {
    const row = await getImport(tx, params.id)
    return { import: present(row), ...(await countKinds(tx, row)) }
  })

  bind.reader(listImportRows, async ({ tx, params, query }) => {
    const rows = await listRows(tx, await getImport(tx, params.id), query)
    const { page, next } = pageOf(rows, query.limit, 'line')
    return { rows: page, next_after: next }
  })

  bind.member(commitImport, async ({ tx, actor, params, body }) => {
    const { done, withoutStock } = await commit(tx, actor, { ...body, id: params.id })
    return { success: true, import: present(done), without_stock: withoutStock }
  })

  bind.member(cancelImport, async ({ tx, params }) => ({
    success: true,
    import: present(await cancel(tx, params.id)),
  }))

  bind.member(undoImport, async ({ tx, actor, params }) => ({
    success: true,
    import: present(await undo(tx, actor, params.id)),
  }))

  bind.reader(listEndpoint, async ({ tx, query }) => {
    const { page, next } = pageOf(await listImports(tx, query), query.limit, 'id')
    return {
      imports: page.map(present),
      next_cursor: next,
    }
  })
}
