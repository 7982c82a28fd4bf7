import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

const boot = 'boot'
const frame = 'frame'

/** The modules that roots import, and that those import, and so on. */
function modulesOf(roots: readonly string[], modules: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>()
  function add(module: string): void {
    if (found.has(module)) return
    found.add(module)
    for (const imported of modules.getModuleInfo(module)?.importedIds ?? []) add(imported)
  }
  for (const root of roots) add(fileURLToPath(new URL(root, import.meta.url)))
  return found
}

/**
 * What screens need first, each in one file, by what begins it: a module is in the first that needs it. With what comes once
 * somebody is signed in are the small things that nearly every screen has; with the count screens, of which each person
 * has one, the small things that they share.
 */
const firstParts: Record<string, readonly string[]> = {
  [boot]: ['src/app/boot.ts'],
  [frame]: ['src/app/main.tsx'],
  'signed-in': [
    'src/app/signed-in.tsx',
    'src/counting/floor-strip.tsx',
    'src/ui/card.tsx',
    'src/ui/empty-state.tsx',
    'src/ui/progress-bar.tsx',
    'src/ui/use-list-focus.ts',
    'src/lib/ids.ts',
    '../contract/src/stock/rules.ts',
  ],
  counting: [
    'src/counting/staff-count.tsx',
    'src/counting/certificate-link.tsx',
    '../contract/src/accuracy/rules.ts',
  ],
  // Whoever counts and loses the network is told what waits when logging out, too.
  'active-count': [
    'src/counting/active-count.tsx',
    'src/counting/count-outbox.ts',
    'src/app/waiting-scans.tsx',
  ],
}

/** Of a library that is imported by one name for all of it, what the first parts do not use. */
const ofOtherScreens = /[/\\](useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)[.]js$/

/** One group for each of the first parts, in their order: a group of a higher priority takes what it imports along. */
const firstGroups = Object.entries(firstParts).map(([name, roots], place) => {
  let found: Set<string> | undefined
  return {
    name(id: string, modules: Rolldown.ChunkingContext) {
      found ??= modulesOf(roots, modules)
      return found.has(id) && !ofOtherScreens.test(id) ? name : null
    },
    debugName: name,
    priority: 9 - place,
  }
})

/**
 * Lets the page ask for what every screen needs at once, not only when its first script has asked for everything else. The
 * libraries that the frame stands on are run as they arrive, while the rest is on its way.
 */
const preloadFrame: Plugin = {
  name: 'preload-frame',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk' && file.name !== boot)
      const first = chunks.find(({ name }) => name === frame)
      const libraries = chunks.filter(({ fileName }) => first?.imports.includes(fileName))
      const parts = first === undefined ? [] : [first, ...libraries]
      const injectTo = 'head' as const
      return [
        ...parts.map(({ fileName }) => {
          const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` }
          return { tag: 'link', attrs, injectTo }
        }),
        ...libraries.map(({ fileName }) => {
          const attrs = { type: 'module', async: true, crossorigin: true, src: `/${fileName}` }
          return { tag: 'script', attrs, injectTo }
        }),
      ]
    },
  },
}

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFrame],
  build: {
    target: 'es2022',
    // Trusted Types allow no inline polyfill, and the content policy no data: scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Read by the weight check of the build.
    manifest: 'parts.json',
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        // On a slow network a dozen files arrive sooner than three dozen: what several screens share comes in few pieces.
        codeSplitting: {
          groups: [
            // Apart from the frame: two connections begin twice as fast as one, and it changes less often than the rest.
            { name: 'react', test: /node_modules[/\\](react|react-dom|scheduler)[/\\]/, priority: 10 },
            ...firstGroups,
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 6_000 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/health': server, '/test-tenant-context': server },
  },
})
