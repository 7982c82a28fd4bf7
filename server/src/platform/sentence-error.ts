/** Why a program or a command does not do what it was asked: its message is a sentence that says all there is to say. */
export class SentenceError extends Error {}
