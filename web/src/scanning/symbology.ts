/** What scanners can be set to say of the symbol before its text (ISO/IEC 15424). */
const symbologyIdentifier = /^\][A-Za-z][\dA-Za-z]/

/** A text without what a scanner says of its symbol. */
export const withoutIdentifier = (text: string): string => text.replace(symbologyIdentifier, '')
