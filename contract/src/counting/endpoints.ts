import { z } from '../zod.ts'
import { endpoint } from '../endpoint.ts'
import { packs } from '../stock/packs.ts'
import { weekDays } from '../stock/rules.ts'
import { maxClockAheadMinutes, maxCountAgeDays } from './rules.ts'
import { barcode, clientInstant, countTypes, instant, location, quantity, text, ignored } from '../values.ts'

const highVolumeConfig = z.partialRecord(z.enum(weekDays), z.array(z.string()))

const countableComponent = z.object({
  id: z.string(),
  barcode: z.string(),
  description: z.string(),
  last_counted_date: z.nullable(instant),
  last_counted_location: z.nullable(z.string()),
  last_counted_source: z.nullable(z.string()),
  is_high_volume: z.boolean(),
  is_high_volume_today: z.boolean(),
  high_volume_config: z.nullable(highVolumeConfig),
  counted: z.boolean(),
  counted_at: z.nullable(instant),
  counted_source: z.nullable(z.string()),
  expected_quantity: z.optional(z.int()).check(z.describe('For administrators only: counts are blind.')),
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
    count_type: z._default(z.enum(['monthly', 'weekly']), 'monthly'),
    day: z.nullish(z.enum(weekDays)).check(z.describe('Of a weekly count; today when left out.')),
  }),
  reply: {
    status: 200,
    json: z.object({ components: z.array(countableComponent), counted: z.int(), total: z.int() }),
  },
  errors: ['location_not_in_plan', 'list_too_long'],
})

const componentToCount = z.extend(
  z.partial(
    z.pick(countableComponent, {
      barcode: true,
      description: true,
      is_high_volume: true,
      counted: true,
      counted_at: true,
      counted_source: true,
      expected_quantity: true,
    }),
    { is_high_volume: true, counted: true, counted_at: true, counted_source: true },
  ),
  { aliases: z.optional(z.array(z.string())), packs, bin: z.optional(z.string()) },
)

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
    json: z.object({
      components: z.array(componentToCount),
      counted: z.int(),
      total: z.int(),
      not_kept: z
        .optional(z.int())
        .check(
          z.describe('How many components the location leaves out; counted there, they are kept again.'),
        ),
    }),
  },
  errors: ['location_not_in_plan', 'list_too_long'],
})

const progress = z.object({ counted: z.int(), total: z.int() })

/** Of a recorded count. One that comes late may leave what it counted to be counted again. */
const marks = {
  sets_mark: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether the component is now counted this month at the location. Not so for a count of an earlier month, or from before a reset.',
      ),
    ),
  sets_weekly_mark: z
    .optional(z.boolean())
    .check(
      z.describe(
        "Weekly counts only: whether the component is now counted today. Not so for a count of an earlier day, or from before a reset of the day's list.",
      ),
    ),
}

/** Replies that were kept from before it was said have none. */
const ownBarcode = z
  .optional(z.string())
  .check(z.describe("Of what was recorded, or scanned by another barcode: the component's own."))

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
  accepted_difference: z
    .optional(z.int())
    .check(
      z.describe(
        "For administrators only: counted minus expected, accepted by itself within the company's tolerance, or as its first count.",
      ),
    ),
  first_count: z
    .optional(z.boolean())
    .check(z.describe('For administrators only: true of a first count that was taken as the stock.')),
})

const mismatchReply = z.object({
  success: z.literal(false),
  matched: z.literal(false),
  barcode: ownBarcode,
  recorded: z.boolean(),
  attempt: z.int(),
  message: z.string(),
  progress: z.optional(progress),
  ...marks,
  expected_quantity: z.optional(z.int()),
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
    source: z._default(z.enum(countTypes), 'monthly'),
    session: text(200),
    user_id: ignored,
    timestamp: clientInstant.check(
      z.describe(
        `When it was scanned, by the clock that Sent-At tells of: at most ${maxCountAgeDays} days ago and ${maxClockAheadMinutes} minutes ahead.`,
      ),
    ),
    day: z.nullish(z.enum(weekDays)),
    recount: z._default(z.boolean(), false),
    scans: z
      .optional(z.int().check(z.minimum(0, 'must not be negative.')))
      .check(
        z.describe(
          'Of a code that the device did not know, how many of the quantity are scans that counted one each: where it is that of a pack by now, nothing is counted.',
        ),
      ),
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
    'pack_by_now',
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
  body: z.object({ location, count_type: z._default(z.enum(['monthly', 'weekly']), 'monthly') }),
  reply: { status: 200, json: z.object({ success: z.literal(true), reset: z.int() }) },
  errors: ['location_not_in_plan', 'trial_expired'],
})

const quantities = {
  primary_quantity: z.optional(z.int()),
  secondary_quantity: z.optional(z.int()),
  fulfillment_quantity: z.optional(z.int()),
  distribution_quantity: z.optional(z.int()),
  quarantine_quantity: z.optional(z.int()),
  total_quantity: z.optional(z.int()),
}

/** As for the monthly count; quantities and the configuration are for administrators only, because counts are blind. */
const weeklyComponent = z.extend(countableComponent, {
  counted_today: z.boolean(),
  ...quantities,
  high_volume_config: z.optional(z.nullable(highVolumeConfig)),
  aliases: componentToCount.shape.aliases,
  packs,
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
