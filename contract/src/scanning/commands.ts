import { findLocation, type LocationCode } from '../locations.ts'

/** What a printed barcode begins with that steers a count screen instead of naming a component. */
export const commandPrefix = 'IM:'

export const commands = ['UNDO', 'NEXT', 'SUBMIT', 'X10'] as const

export type Command = (typeof commands)[number]

const locationPrefix = `${commandPrefix}LOC:`

/** What a scanned code asks for; null for a code that is none of the program's own. */
export function parseCommand(
  code: string,
): { kind: 'command'; command: Command } | { kind: 'location'; location: LocationCode } | null {
  const command = commands.find((known) => code === `${commandPrefix}${known}`)
  if (command !== undefined) return { kind: 'command', command }
  if (!code.startsWith(locationPrefix)) return null
  const location = findLocation(code.slice(locationPrefix.length))
  return location === undefined ? null : { kind: 'location', location: location.code }
}
