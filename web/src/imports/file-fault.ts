/** Why a file cannot be read; the message is for the person who chose it. */
export class FileFault extends Error {}
