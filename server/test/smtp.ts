import { createServer, type Socket } from 'node:net'

type MailServer = {
  url: string
  /** The text of every mail taken so far, headers and all. */
  mails: string[]
  /** Takes no mail for an address from now on. */
  refuse: (address: string) => void
  close: () => Promise<void>
}

/** Speaks enough of SMTP (RFC 5321) to take mails, and keeps them. */
function converse(
  socket: Socket,
  { keep, refused }: { keep: (mail: string) => void; refused: ReadonlySet<string> },
): void {
  let line = ''
  let mail: string[] | null = null
  const say = (reply: string) => socket.write(`${reply}\r\n`)
  const answers: Record<string, string> = { EHLO: '250 localhost', DATA: '354 go on', QUIT: '221 bye' }

  function take(text: string): void {
    if (mail === null) {
      const verb = text.slice(0, 4).toUpperCase()
      if (verb === 'DATA') mail = []
      const [, address = ''] = /^RCPT TO:<(.*?)>/i.exec(text) ?? []
      say(refused.has(address) ? '550 no such user' : (answers[verb] ?? '250 ok'))
    } else if (text === '.') {
      keep(mail.join('\n'))
      mail = null
      say('250 taken')
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
  const refused = new Set<string>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    converse(socket, { keep: (mail) => mails.push(mail), refused })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    refuse: (address) => void refused.add(address),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
