// Medusa as its own guide starts it, without its screens and with what it keeps in memory by default.
const { env } = require('node:process')
const { defineConfig } = require('@medusajs/framework/utils')

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false }, pool: { min: 2, max: 20 } },
    http: {
      storeCors: 'http://localhost',
      adminCors: 'http://localhost',
      authCors: 'http://localhost',
      jwtSecret: env.SECRET,
      cookieSecret: env.SECRET,
    },
    databaseLogging: false,
  },
})
