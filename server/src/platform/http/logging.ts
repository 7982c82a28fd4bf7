import pg from 'pg'
import { destination, pino, type Logger } from 'pino'
import { LogController, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import { errorCode } from '../error-code.ts'

type LoggerOptions = Exclude<FastifyServerOptions['logger'], boolean | undefined>

type LoggedError = {
  type: string
  message: string
  stack: string
  code?: string
  constraint?: string
  cause?: LoggedError
}

/** A database error's `detail` may quote a whole row, a password hash among it: only what helps is kept. */
export function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const code = errorCode(error)
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...(code === undefined ? {} : { code }),
    ...(error instanceof pg.DatabaseError && error.constraint !== undefined
      ? { constraint: error.constraint }
      : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

export type LogSink = { write: (line: string) => void }

const withoutQuery = (url: string) => url.split('?', 1)[0] ?? ''

function factsOf(request: FastifyRequest, reply: FastifyReply, status: number) {
  return {
    method: request.method,
    path: withoutQuery(request.url),
    address: request.ip,
    status,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  }
}

/** One line for each request, when it was answered, with how long that took in ms. */
export function oneLineEach(): LogController {
  const controller = new LogController()
  controller.incomingRequest = () => undefined
  controller.requestCompleted = (error, request, reply) => {
    const facts = factsOf(request, reply, reply.statusCode)
    if (error == null) request.log.info(facts, 'request')
    else request.log.error({ ...facts, err: error }, 'request failed')
  }
  return controller
}

/** The same line for a request that was never answered whole, because who asked has gone away. */
export function logLeft(request: FastifyRequest, reply: FastifyReply, status: number): void {
  request.log.info(factsOf(request, reply, status), 'request')
}

/**
 * One JSON object a line, each with its request's id; headers, bodies and query strings are never written. Lines that
 * come while others are being written go out together: nobody waits for a line.
 */
export function logOptions(
  level: string,
  sink: LogSink = destination({ fd: process.stdout.fd, sync: false }),
): LoggerOptions {
  return {
    level,
    stream: sink,
    serializers: {
      req: ({ method, url, ip }) => ({ method, path: withoutQuery(url), address: ip }),
      err: describeError,
    },
  }
}

/** A log like that of the requests, for a process that serves none. */
export function createLog(level: string): Logger {
  const { stream, ...options } = logOptions(level)
  return pino(options, stream)
}
