/** A scan the server has answered with success. */
export type Acknowledged = { scan: string; recorded: boolean }

export type Findings = { lost: string[]; doubled: string[]; unasked: string[] }

function compareOne(expected: readonly string[], found: readonly string[]): Findings {
  const times = new Map<string, number>()
  for (const scan of found) times.set(scan, (times.get(scan) ?? 0) + 1)
  const known = new Set(expected)
  return {
    lost: expected.filter((scan) => !times.has(scan)),
    doubled: [...times].filter(([, count]) => count > 1).map(([scan]) => scan),
    unasked: [...times.keys()].filter((scan) => !known.has(scan)),
  }
}

/**
 * Compares what was acknowledged with what is kept, each by the scan's own name: every acknowledged scan stands in the
 * audit trail once, every one that counts in the history once, and nothing else does.
 */
export function compare(
  acknowledged: readonly Acknowledged[],
  kept: { history: readonly string[]; audit: readonly string[] },
): { history: Findings; audit: Findings } {
  const counting = acknowledged.filter(({ recorded }) => recorded).map(({ scan }) => scan)
  return {
    history: compareOne(counting, kept.history),
    audit: compareOne(
      acknowledged.map(({ scan }) => scan),
      kept.audit,
    ),
  }
}
