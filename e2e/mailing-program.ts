import { startMailServer } from '../server/test/smtp.ts'
import { test as base } from './fixtures.ts'
import { startProgram, type Program } from './program.ts'

/** A program that mails, to a mail server on loopback. */
export const test = base.extend<
  object,
  { mailServer: Awaited<ReturnType<typeof startMailServer>>; program: Program }
>({
  mailServer: [
    async ({}, use) => {
      const mailServer = await startMailServer()
      await use(mailServer)
      await mailServer.close()
    },
    { scope: 'worker' },
  ],
  program: [
    async ({ mailServer }, use) => {
      const program = await startProgram({
        SMTP_URL: mailServer.url,
        PUBLIC_URL: 'https://count.example.com',
      })
      await use(program)
      await program.stop()
    },
    { scope: 'worker' },
  ],
})
