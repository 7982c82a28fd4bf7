/** Command barcodes: printed on a card, scanned instead of pressing a button. */
export const commandPrefix = 'IM:'

export const commands = ['UNDO', 'NEXT', 'SUBMIT', 'X10'] as const

export type Command = (typeof commands)[number]

const locationPart = 'LOC:'

/** What a scanned command code asks for; null for any other code. The location is as printed, not checked here. */
export function parseCommand(
  code: string,
): { kind: 'command'; command: Command } | { kind: 'location'; location: string } | null {
  if (!code.startsWith(commandPrefix)) return null
  const rest = code.slice(commandPrefix.length)
  const command = commands.find((name) => name === rest)
  if (command !== undefined) return { kind: 'command', command }
  if (!rest.startsWith(locationPart) || rest.length === locationPart.length) return null
  return { kind: 'location', location: rest.slice(locationPart.length) }
}
