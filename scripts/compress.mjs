import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { listFiles } from './files.mjs'

const compressed = /\.(css|html|js|svg|wasm)$/
/** Bytes: below, a packet less is not to be had. */
const least = 1_400

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** Each at its best; browsers take gzip where there is no https. */
const ways = [
  { ending: '.br', pack: (/** @type {Buffer} */ content) => brotli(content) },
  { ending: '.gz', pack: (/** @type {Buffer} */ content) => zip(content, { level: 9 }) },
]

/**
 * Leaves beside each file what browsers take instead, as small as it gets: made once here, not at each request.
 * @param {string} folder
 */
export async function compressFiles(folder) {
  const files = listFiles(folder).filter((file) => compressed.test(file))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      if (content.length < least) return
      await Promise.all(
        ways.map(async ({ ending, pack }) => await writeFile(`${file}${ending}`, await pack(content))),
      )
    }),
  )
}
