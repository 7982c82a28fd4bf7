/** What the doctor saw: fine, worth a look, or something that must be mended. */
export type Finding = { state: 'good' | 'doubtful' | 'bad'; about: string; says: string }
