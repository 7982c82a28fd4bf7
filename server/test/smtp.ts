import { createServer, type Socket } from 'node:net'

/** What a mail server does with mails for an address: it refuses them, or drops the connection, before it has their text or behind it. */
type Fault = 'refuses' | 'drops before the text' | 'drops behind the text'

type MailServer = {
  url: string
  /** The text of every mail taken so far, headers and all. */
  mails: string[]
  /** The addresses for which it says of no mail that it has taken it. */
  faults: Map<string, Fault>
  close: () => Promise<void>
}

/** Speaks enough of SMTP (RFC 5321) to take mails, and keeps them. */
function converse(
  socket: Socket,
  { keep, faults }: { keep: (mail: string) => void; faults: ReadonlyMap<string, Fault> },
): void {
  let line = ''
  let fault: Fault | undefined
  let mail: string[] | null = null
  const say = (reply: string) => socket.write(`${reply}\r\n`)
  const answers: Record<string, string> = { EHLO: '250 localhost', DATA: '354 go on', QUIT: '221 bye' }

  function answer(command: string): void {
    const verb = command.slice(0, 4).toUpperCase()
    if (verb === 'DATA') mail = []
    const [, address = ''] = /^RCPT TO:<(.*?)>/i.exec(command) ?? []
    fault ??= faults.get(address)
    if (fault === 'drops before the text') socket.destroy()
    else say(fault === 'refuses' ? '550 no such user' : (answers[verb] ?? '250 ok'))
  }

  function take(text: string): void {
    if (mail === null) {
      answer(text)
    } else if (text === '.') {
      keep(mail.join('\n'))
      mail = null
      if (fault === undefined) say('250 taken')
      else socket.destroy()
    } else {
      mail.push(text)
    }
  }

  say('220 localhost')
  socket.on('data', (data) => {
    line += data.toString('utf8')
    const lines = line.split('\r\n')
    line = lines.pop() ?? ''
    for (const text of lines) take(text)
  })
}

/** A mail server on loopback for tests. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  const faults = new Map<string, Fault>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    converse(socket, { keep: (mail) => mails.push(mail), faults })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    faults,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
