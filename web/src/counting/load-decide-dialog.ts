/** The dialog in which a person decides on an entry that was not taken. */
export async function loadDecideDialog() {
  return { default: (await import('./decide-dialog.tsx')).DecideDialog }
}
