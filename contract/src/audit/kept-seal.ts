/** A seal of a company's trail as people keep it: COMPANY:NUMBER:HASH, as `npm run verify-audit` prints it and takes it. */
export type KeptSeal = { tenantId: string; seq: number; hash: string }

const written = /^([0-9a-f-]{36}):([1-9]\d{0,14}):([0-9a-f]{64})$/

export function sealText({ tenantId, seq, hash }: KeptSeal): string {
  return `${tenantId}:${seq}:${hash}`
}

/** Null where a text is no seal. */
export function readSeal(text: string): KeptSeal | null {
  const [, tenantId, seq, hash] = written.exec(text.replaceAll(/\s/g, '').toLowerCase()) ?? []
  if (tenantId === undefined || seq === undefined || hash === undefined) return null
  return { tenantId, seq: Number(seq), hash }
}
