/** The pattern of text to be found as it is, with LIKE's own signs taken literally. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
