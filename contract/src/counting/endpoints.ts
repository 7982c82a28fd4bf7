import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { userTypes } from '../roles.ts'
import { weekDays } from '../stock/rules.ts'
import { maxClockAheadMinutes, maxCountAgeDays } from './rules.ts'
import { countEntries, countNote } from './entries.ts'
import {
  barcode,
  clientInstant,
  countTypes,
  cursor,
  instant,
  location,
  pageSize,
  quantity,
  text,
  ignored,
} from '../values.ts'

const highVolumeConfig = z.partialRecord(z.enum(weekDays), z.array(z.string()))

const countableComponent = z.object({
  id: z.string(),
  barcode: z.string(),
  description: z.string(),
  last_counted_date: instant.nullable(),
  last_counted_location: z.string().nullable(),
  last_counted_source: z.string().nullable(),
  is_high_volume: z.boolean(),
  is_high_volume_today: z.boolean(),
  high_volume_config: highVolumeConfig.nullable(),
  counted: z.boolean(),
  counted_at: instant.nullable(),
  counted_source: z.string().nullable(),
  expected_quantity: z.int().optional().meta({ description: 'For administrators only: counts are blind.' }),
})

export type CountableComponent = z.output<typeof countableComponent>

const longList =
  'A list of more than 128 MB is refused with `list_too_long`: ask for the components in pages, by `GET /api/components`.'

export const listWithCountStatus = endpoint({
  method: 'POST',
  path: '/api/components/with-count-status',
  access: 'member',
  effect: 'read',
  summary: 'List the components to count at a location, and which are counted',
  description: `Monthly: all components, and which are counted this month. Weekly: those of a day's list, and which are counted today. ${longList}`,
  body: z.object({
    location,
    count_type: z.enum(['monthly', 'weekly']).default('monthly'),
    day: z.enum(weekDays).nullish().meta({ description: 'Of a weekly count; today when left out.' }),
  }),
  reply: {
    status: 200,
    json: z.object({ components: z.array(countableComponent), counted: z.int(), total: z.int() }),
  },
  errors: ['location_not_in_plan', 'list_too_long'],
})

const componentToCount = countableComponent
  .pick({
    barcode: true,
    description: true,
    is_high_volume: true,
    counted: true,
    counted_at: true,
    counted_source: true,
    expected_quantity: true,
  })
  .partial({ is_high_volume: true, counted: true, counted_at: true, counted_source: true })
  .extend({ aliases: z.array(z.string()).optional(), bin: z.string().optional() })

export type ComponentToCount = z.output<typeof componentToCount>

export const listToCount = endpoint({
  method: 'GET',
  path: '/api/components/to-count',
  access: 'member',
  effect: 'read',
  summary: 'List the components to count at a location as with-count-status does, as short as it gets',
  description: `What is null or false is left out. \`aliases\` are other barcodes that are counted as the component, \`bin\` is where it lies. ${longList}`,
  revalidates: true,
  query: z.object({ location }),
  reply: {
    status: 200,
    json: z.object({ components: z.array(componentToCount), counted: z.int(), total: z.int() }),
  },
  errors: ['location_not_in_plan', 'list_too_long'],
})

const progress = z.object({ counted: z.int(), total: z.int() })

/** Of a recorded count. One that comes late may leave what it counted to be counted again. */
const marks = {
  sets_mark: z.boolean().optional().meta({
    description:
      'Whether the component is now counted this month at the location. Not so for a count of an earlier month, or from before a reset.',
  }),
  sets_weekly_mark: z.boolean().optional().meta({
    description:
      "Weekly counts only: whether the component is now counted today. Not so for a count of an earlier day, or from before a reset of the day's list.",
  }),
}

/** Replies that were kept from before it was said have none. */
const ownBarcode = z.string().optional().meta({
  description: "Of what was recorded, or scanned by another barcode: the component's own.",
})

const countedReply = z.object({
  success: z.literal(true),
  matched: z.literal(true),
  component: z.object({
    id: z.string(),
    barcode: z.string(),
    description: z.string(),
    counted_at: instant,
    counted_source: z.string(),
  }),
  progress,
  ...marks,
  accepted_difference: z.int().optional().meta({
    description:
      "For administrators only: counted minus expected, accepted by itself within the company's tolerance.",
  }),
})

const mismatchReply = z.object({
  success: z.literal(false),
  matched: z.literal(false),
  barcode: ownBarcode,
  recorded: z.boolean(),
  attempt: z.int(),
  message: z.string(),
  progress: progress.optional(),
  ...marks,
  expected_quantity: z.int().optional(),
})

const reviewReply = z.object({
  success: z.literal(true),
  matched: z.null(),
  barcode: ownBarcode,
  recorded: z.literal(true),
  message: z.string(),
  progress,
  ...marks,
})

const countReply = z.union([countedReply, mismatchReply, reviewReply])

export type CountReply = z.output<typeof countReply>

export const recordCount = endpoint({
  method: 'POST',
  path: '/api/components/update-with-tracking',
  access: 'member',
  effect: 'write',
  scope: 'count',
  summary: 'Record one count of a component',
  description:
    'The server decides whether it matches; what does not is kept for a second entry or a decision. Without an Idempotency-Key the same session, barcode, location, source and timestamp are the same count: a second entry has another timestamp.',
  tellsTime: true,
  body: z.object({
    barcode,
    quantity,
    location,
    source: z.enum(countTypes).default('monthly'),
    session: text(200),
    user_id: ignored,
    timestamp: clientInstant.meta({
      description: `When it was scanned, by the clock that Sent-At tells of: at most ${maxCountAgeDays} days ago and ${maxClockAheadMinutes} minutes ahead.`,
    }),
    day: z.enum(weekDays).nullish(),
    recount: z.boolean().default(false),
  }),
  reply: { status: 200, json: countReply },
  errors: [
    'not_found',
    'unknown_code_not_kept',
    'barcode_retired',
    'forbidden',
    'location_not_in_plan',
    'trial_expired',
    'not_in_list',
    'already_counted',
    'count_too_old',
    'key_reused',
  ],
})

export const resetCounts = endpoint({
  method: 'POST',
  path: '/api/components/reset-counts',
  access: 'member',
  effect: 'write',
  scope: 'count',
  summary: "Clear a location's count marks of this month or, of weekly counts, of today",
  body: z.object({ location, count_type: z.enum(['monthly', 'weekly']).default('monthly') }),
  reply: { status: 200, json: z.object({ success: z.literal(true), reset: z.int() }) },
  errors: ['location_not_in_plan', 'trial_expired'],
})

const historyEntry = z.object({
  id: z.string(),
  timestamp: instant,
  sku: z.string(),
  location: z.string(),
  quantity: z.int(),
  count_type: z.enum(countTypes),
  count_session: z.string(),
  entry: z.enum(countEntries),
  note: countNote,
  source: z.string(),
  user_type: z.enum(userTypes),
  user_name: z.string(),
  last_counted_date: instant,
  last_counted_location: z.string(),
  last_counted_source: z.string(),
})

export type HistoryEntry = z.output<typeof historyEntry>

const historyPage = z.object({ history: z.array(historyEntry), next_cursor: z.string().nullable() })

export const componentHistory = endpoint({
  method: 'POST',
  path: '/api/components/count-history',
  access: 'member',
  effect: 'read',
  summary: 'List the counts of one component at a location, newest first',
  body: z.object({ barcode, location, cursor: cursor.optional() }),
  reply: { status: 200, json: historyPage },
  errors: ['not_found', 'location_not_in_plan'],
})

export const listHistory = endpoint({
  method: 'GET',
  path: '/api/count-history',
  access: 'member',
  effect: 'read',
  summary: 'List the counts of the company, newest first',
  query: z.object({
    sku: barcode.optional(),
    location: location.optional(),
    count_type: z.enum(countTypes).optional(),
    limit: pageSize({ initial: 100, max: 1000 }),
    cursor: cursor.optional(),
  }),
  reply: { status: 200, json: historyPage },
  errors: [],
})

const quantities = {
  primary_quantity: z.int().optional(),
  secondary_quantity: z.int().optional(),
  fulfillment_quantity: z.int().optional(),
  distribution_quantity: z.int().optional(),
  quarantine_quantity: z.int().optional(),
  total_quantity: z.int().optional(),
}

/** As for the monthly count; quantities and the configuration are for administrators only, because counts are blind. */
const weeklyComponent = countableComponent.extend({
  counted_today: z.boolean(),
  ...quantities,
  high_volume_config: highVolumeConfig.nullable().optional(),
  aliases: componentToCount.shape.aliases,
  bin: componentToCount.shape.bin,
})

export type WeeklyComponent = z.output<typeof weeklyComponent>

export const highVolumeForDay = endpoint({
  method: 'POST',
  path: '/api/components/high-volume-for-day',
  access: 'member',
  effect: 'read',
  summary: "List a day's high-volume components at a location, and which are counted today",
  description: 'Quantities and the configuration are for administrators only: counts are blind.',
  body: z.object({ day: z.enum(weekDays), location }),
  reply: { status: 200, json: z.object({ components: z.array(weeklyComponent) }) },
  errors: ['location_not_in_plan'],
})

export const resetWeeklyDay = endpoint({
  method: 'POST',
  path: '/api/components/reset-weekly-day',
  access: 'member',
  effect: 'write',
  scope: 'count',
  summary: "Clear today's weekly count marks of a day's list at a location",
  body: z.object({ day: z.enum(weekDays), location }),
  reply: { status: 200, json: z.object({ success: z.literal(true), reset: z.int() }) },
  errors: ['location_not_in_plan', 'trial_expired'],
})

export const addHistory = endpoint({
  method: 'POST',
  path: '/api/count-history',
  access: 'member',
  effect: 'write',
  summary: 'Append a count to the history',
  description:
    'Adds an entry to the history and nothing else: marks and stock belong to update-with-tracking.',
  body: z.object({
    sku: barcode,
    quantity,
    count_type: z.enum(countTypes).default('monthly'),
    count_session: text(200).default(''),
    user_type: ignored,
    source: text(100).nullish(),
    location,
  }),
  reply: { status: 201, json: z.object({ success: z.literal(true), id: z.string() }) },
  errors: ['not_found', 'component_retired', 'forbidden', 'location_not_in_plan', 'trial_expired'],
})
