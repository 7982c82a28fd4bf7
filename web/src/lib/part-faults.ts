/** Whether it is said, as browsers word it, each in its own way, that a part of a program did not arrive. */
export function isNotArrived(error: unknown): boolean {
  return error instanceof TypeError && /\bmodule\b/.test(error.message)
}

/**
 * Makes what reports why a part cannot be shown, where that is the program's own fault and not the network's: the same fault once,
 * however often the part is asked for.
 */
export function createFaultReport(): (error: unknown) => void {
  let reported: unknown = null
  return (error) => {
    if (error === reported || isNotArrived(error)) return
    reported = error
    reportError(error)
  }
}
