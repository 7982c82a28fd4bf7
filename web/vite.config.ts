import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2022',
    // Trusted Types allow no inline polyfill, and the content policy no data: scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Read by the weight check of the build.
    manifest: 'parts.json',
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/health': server, '/test-tenant-context': server },
  },
})
