import { defineConfig } from 'vite'

/** Bundles the server with the contract into two files; libraries stay in node_modules. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: { input: { main: 'src/main.ts', cli: 'src/cli.ts' } },
  },
  ssr: { noExternal: [/^@inventory-manager\//] },
})
