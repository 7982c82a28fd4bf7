import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { nothingHere } from './app-error.ts'
import { replyWithError } from './error-reply.ts'

/** Addresses of calls and of files, however they are written: where nothing is, they have an error and no page. */
export const withoutPage = /^\/+(?:api|assets|health)(?:\/|$)/i

const immutable = 'public, max-age=31536000, immutable'

/** Serves the built web application; every path that is no file and not the API's is the application's own. */
export async function serveWebFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(staticFiles, {
    root: folder,
    wildcard: false,
    // The build leaves them beside the files they are of.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.includes('/assets/') ? immutable : 'no-cache')
    },
  })
  app.get('/*', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (withoutPage.test(path)) {
      return replyWithError(nothingHere(), request, reply)
    }
    return await reply.sendFile('index.html')
  })
}
