// Counts a SKU: node examples/count.mjs http://127.0.0.1:3000 mia@demo.example demo-warehouse 4006381000376 105
import { randomUUID } from 'node:crypto'
import { ClientError, createClient } from '@inventory-manager/client'

const [url, email, passcode, barcode, quantity] = process.argv.slice(2)
const visitor = createClient({ url })

try {
  const { token } = await visitor.call('login', { body: { email, passcode } })
  const reply = await visitor.as(token).call(
    'recordCount',
    {
      body: {
        barcode,
        quantity: Number(quantity),
        location: 'PRIMARY',
        source: 'monthly',
        session: 'from the command line',
        timestamp: new Date().toISOString(),
      },
    },
    // Sent again under the same key after a failed network, it counts once.
    { idempotencyKey: randomUUID() },
  )
  console.log(reply.matched ? `${barcode}: counted ${quantity}` : `${barcode}: ${reply.message}`)
} catch (error) {
  if (!(error instanceof ClientError)) throw error
  console.error(`${error.message} (${error.code}, request ${error.requestId})`)
  process.exitCode = 1
}
