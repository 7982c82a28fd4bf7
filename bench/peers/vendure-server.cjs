// Vendure as its own guide starts it in production: the Admin API, or with ROLE=worker what works its queue off.
const { env } = require('node:process')
const { DefaultJobQueuePlugin, bootstrap, bootstrapWorker } = require('@vendure/core')

const config = {
  apiOptions: { hostname: '127.0.0.1', port: Number(env.PORT), adminListQueryLimit: 10_000 },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: env.ADMIN_NAME, password: env.ADMIN_PASSWORD },
    cookieOptions: { secret: env.ADMIN_PASSWORD },
  },
  dbConnectionOptions: {
    type: 'postgres',
    url: env.DATABASE_URL,
    schema: 'public',
    synchronize: env.ROLE !== 'worker',
    logging: false,
    extra: { max: 20 },
  },
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true })],
}

if (env.ROLE === 'worker') module.exports = bootstrapWorker(config).then((worker) => worker.startJobQueue())
else module.exports = bootstrap(config)
