/**
 * How often is asked for what changes as time passes: a day or a month ends, with what is asked for by then, when nothing happens that would
 * be news.
 */
export const asTimePassesMs = 60_000
