const actions = new Set<() => void>()

function runActions(): void {
  for (const action of actions) action()
}

/** Runs a synchronous action when this process exits or throws (not when it is killed), until it is taken back. */
export function onProcessExit(action: () => void): () => void {
  if (actions.size === 0) process.on('exit', runActions)
  actions.add(action)
  return () => {
    actions.delete(action)
    if (actions.size === 0) process.off('exit', runActions)
  }
}
