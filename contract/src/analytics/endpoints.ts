import { endpoint } from '../endpoint.ts'
import { location } from '../values.ts'
import { z } from '../zod.ts'

/** How many SKUs the charts show, and how many weeks (specification 9). */
export const topSkus = 10
export const trendWeeks = 4

const day = z.iso.date()

export const progressOverTime = endpoint({
  method: 'GET',
  path: '/api/analytics/progress-over-time',
  access: 'member',
  effect: 'read',
  summary: 'Items scanned per day and in total since the beginning',
  query: z.object({ location: z.optional(location) }),
  reply: {
    status: 200,
    json: z.object({ days: z.array(z.object({ day, scans: z.int(), cumulative: z.int() })) }),
  },
  errors: [],
})

export const topScannedSkus = endpoint({
  method: 'GET',
  path: '/api/analytics/top-skus',
  access: 'member',
  effect: 'read',
  summary: 'The ten most scanned SKUs',
  query: z.object({ location: z.optional(location) }),
  reply: {
    status: 200,
    json: z.object({ skus: z.array(z.object({ sku: z.string(), description: z.string(), scans: z.int() })) }),
  },
  errors: [],
})

export const skuByLocation = endpoint({
  method: 'GET',
  path: '/api/analytics/heatmap',
  access: 'member',
  effect: 'read',
  summary: 'Scans of the ten most scanned SKUs at each location',
  reply: {
    status: 200,
    json: z.object({
      skus: z.array(
        z.object({ sku: z.string(), description: z.string(), scans: z.record(z.string(), z.int()) }),
      ),
    }),
  },
  errors: [],
})

export const weeklyTrends = endpoint({
  method: 'GET',
  path: '/api/analytics/weekly-trends',
  access: 'member',
  effect: 'read',
  summary: 'Scans per day of the last four weeks, Monday to Sunday',
  query: z.object({ location }),
  reply: {
    status: 200,
    json: z.object({
      weeks: z.array(z.object({ week_start: day, days: z.array(z.object({ day, scans: z.int() })) })),
    }),
  },
  errors: [],
})
