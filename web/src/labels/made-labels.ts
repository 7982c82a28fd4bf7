/** Longer than any mark, so that one that is cut between two pieces is found when the second has come. */
const keptCharacters = 40

/** Reads, out of the pieces of a label file, how many labels are made; the server writes a comment after each part. */
export function createLabelCounter(): (piece: Uint8Array) => number {
  const decoder = new TextDecoder('latin1')
  let tail = ''
  let made = 0
  return (piece) => {
    const text = tail + decoder.decode(piece)
    for (const [, count] of text.matchAll(/(?:%|\^FX)Labels: (\d+)(?=[\n^])/g)) made = Number(count)
    tail = text.slice(-keptCharacters)
    return made
  }
}
