import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { usualBodyBytes } from '@inventory-manager/contract/endpoint'
import { errorTable, type ErrorCode } from '@inventory-manager/contract/errors'
import { live } from '@inventory-manager/contract/overview/endpoints'
import compress from '@fastify/compress'
import underPressure from '@fastify/under-pressure'
import helmet from 'helmet'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError, nothingHere, shortOf } from './app-error.ts'
import { replyWithError } from './error-reply.ts'
import { readJson } from './json-body.ts'
import { logOptions, oneLineEach, type LogSink } from './logging.ts'
import { withoutPage } from './web-files.ts'

/** Nothing but this origin's own files; Trusted Types make injected markup inert. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    // The barcode decoder of the camera is WebAssembly.
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    objectSrc: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
}

function parseJson(
  _request: unknown,
  body: string | Buffer,
  done: (error: Error | null, value?: unknown) => void,
) {
  const text = body.toString()
  // The specified client names a content type on every call, also where there is no body.
  if (text === '') {
    done(null)
    return
  }
  try {
    done(null, readJson(text))
  } catch (error) {
    done(error instanceof AppError ? error : new Error('The body was not read.', { cause: error }))
  }
}

/** For replies that are made before any hook runs: a page with nothing in it, kept by nobody. */
const plainHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** What has to come by TLS from now on; a browser may be told so by TLS alone (RFC 6797, 7.2). */
function demandTls({ protocol }: FastifyRequest, { raw }: FastifyReply, done: () => void): void {
  if (protocol === 'https') raw.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains')
  done()
}

const httpFaults: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Answers what is not even HTTP, or has headers past all measure, in the form of every other error. */
function refuseBadHttp(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code = httpFaults[error.code ?? ''] ?? 'invalid_request'
  const { status, sentence } = errorTable[code]
  const body = JSON.stringify({ success: false, error: sentence, code })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(plainHeaders).map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/**
 * Closes with the server the connections on which nothing was ever asked, as browsers open them in advance: Node takes
 * only those for idle that have had an answer, and would wait for the others for ever. Those that wait for an answer end
 * with it, instead of being kept for a next request that must not come.
 */
function closeConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    isClosing = true
    for (const socket of silent) socket.destroy()
    done()
  })
  app.addHook('onSend', async (_, reply) => {
    if (isClosing) void reply.header('connection', 'close')
  })
}

const longestPath = 500

/**
 * A browser that goes to an address no router can read is led to the program's page, which says that nothing is there;
 * the browser keeps the address. Whoever asks the API gets its error.
 */
function addressToRoute({ url = '/' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1)
  if (withoutPage.test(path) || (!path.includes('%') && path.length <= longestPath)) return url
  return path.length <= longestPath && isReadable(path) ? url : '/'
}

function isReadable(path: string): boolean {
  try {
    // The build leaves out a call whose answer nobody uses.
    return decodeURI(path) !== ''
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** A Fastify server with time limits, headers, JSON in and errors out; routes are bound by the caller. */
export async function createServer(
  config: Pick<Config, 'LOG_LEVEL' | 'TRUSTED_PROXIES'>,
  logTo?: LogSink,
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: logOptions(config.LOG_LEVEL, logTo),
    logController: oneLineEach(),
    genReqId: () => randomUUID(),
    trustProxy: config.TRUSTED_PROXIES ?? false,
    bodyLimit: usualBodyBytes,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: longestPath, ignoreTrailingSlash: false },
    rewriteUrl: addressToRoute,
    frameworkErrors: (_, request, reply) => {
      void reply.headers({ ...plainHeaders, 'x-request-id': request.id })
      void replyWithError(nothingHere(), request, reply)
    },
    clientErrorHandler: refuseBadHttp,
  })

  // Not by its plugin, which makes the headers anew for each request.
  const protect = helmet({
    contentSecurityPolicy,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
  })
  app.addHook('onRequest', (request, reply, done) => protect(request.raw, reply.raw, () => done()))
  app.addHook('onRequest', demandTls)
  closeConnections(app)
  app.setErrorHandler(replyWithError)
  app.setNotFoundHandler((request, reply) => replyWithError(nothingHere(), request, reply))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
  // An expectation is nothing a server must meet (RFC 9110, 10.1.1); Node would answer 417 on its own.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', ({ headers }, _, done) => {
    done(headers['content-encoding'] === undefined ? undefined : new AppError('unsupported_media_type'))
  })
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
  })

  await app.register(compress, { threshold: 2048, encodings: ['br', 'gzip'], globalDecompression: false })
  let startedAt = Infinity
  app.addHook('onListen', (done) => {
    startedAt = performance.now()
    done()
  })
  await app.register(underPressure, {
    maxEventLoopDelay: 2_000,
    pressureHandler: ({ routeOptions }, ...[, , delay]) => {
      // Infinite is what the library makes of a second without a measurement; the first measured delay is that of starting.
      if (delay === Infinity || performance.now() < startedAt + 3_000) return
      // Who is only busy must not be taken for dead and restarted.
      if (routeOptions.url !== live.path) throw shortOf('the processor')
    },
  })
  return app
}
