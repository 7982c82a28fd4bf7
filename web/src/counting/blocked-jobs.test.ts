import { expect, it } from 'vitest'
import { blocked } from './blocked-jobs.ts'
import type { CountJob } from './count-jobs.ts'

it.each([
  [{ kind: 'note', key: 'k', barcode: 'A-1', note: 'Torn' }, 'this note. Send'],
  [{ kind: 'undo', key: 'k', barcode: 'A-1' }, 'this undo. Try'],
] as const satisfies [CountJob, string][])(
  'of what a firewall stops, %j, it is said what it is',
  (value, named) => {
    const job = { id: 'k', owner: 'o', group: 'g', isEntry: false, value } as const
    expect(blocked({ ...job, state: 'waiting', refusal: null, sent: true, page: 'p' })).toEqual({
      code: 'blocked',
      message: `Something between this device and the server, such as a firewall, stops ${named} it again from another network.`,
    })
  },
)
