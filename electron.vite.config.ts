import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { build, type Plugin } from 'vite'
import { recordPackages } from './packaging/bundled-packages'
import { fewFiles } from './packaging/chunks'
import { directImports } from './packaging/direct-imports'

const at = (path: string) => resolve(import.meta.dirname, path)

/** The player of replays once more, as one script and one style sheet that an exported file takes in whole. */
const replayPlayer = (): Plugin => ({
  name: 'replay-player',
  async closeBundle() {
    await build({
      configFile: false,
      root: at('src-renderer'),
      logLevel: 'warn',
      plugins: [recordPackages(at('out/bundled/replay.json'))],
      build: {
        outDir: at('out/replay'),
        emptyOutDir: true,
        minify: true,
        lib: {
          entry: at('src-renderer/replay/exported.ts'),
          formats: ['iife'],
          name: 'DeckhandReplay',
          fileName: () => 'player.js',
          cssFileName: 'player',
        },
      },
    })
  },
})

/** Of the fonts for formulas the kind that every window of ours reads, and not three kinds of each. */
const oneKindOfFonts = (): Plugin => ({
  name: 'one-kind-of-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    /katex[\\/]dist[\\/].*\.css$/.test(id)
      ? code.replaceAll(/,\s*url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, '')
      : undefined,
})

const mainEntries = {
  index: at('src-main/index.ts'),
  start: at('src-main/start.ts'),
  cli: at('src-main/cli.ts'),
  'pty-host': at('src-main/pty-host/main.ts'),
  'embed-worker': at('src-main/memory/embed-worker.ts'),
  'page-worker': at('src-main/web/page-worker.ts'),
  'node-agent': at('src-main/node-agent/main.ts'),
  'sandbox-bridge': at('src-main/sandbox/bridge.ts'),
  'tool-relay': at('src-main/tool-server/relay.ts'),
}

const pages = {
  index: at('src-renderer/index.html'),
  prompt: at('src-renderer/prompt.html'),
  diagram: at('src-renderer/diagram/index.html'),
}

export default defineConfig({
  main: {
    plugins: [recordPackages(at('out/bundled/main.json'))],
    build: {
      outDir: 'out/main',
      minify: true,
      rolldownOptions: {
        input: mainEntries,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              {
                name: fewFiles({
                  whole: at('src-main/compose.ts'),
                  entries: mainEntries,
                  commands: mainEntries.cli,
                }),
              },
            ],
          },
        },
      },
    },
  },
  // The sandbox refuses a preload that is not CommonJS or that requires anything but electron.
  preload: {
    plugins: [recordPackages(at('out/bundled/preload.json'))],
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('src-preload/index.ts'), prompt: at('src-preload/prompt.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    // Elements are made by our own function, which keeps text that nobody can draw off the screen.
    plugins: [
      directImports(['lucide-react', 'radix-ui']),
      react({ jsxImportSource: 'drawable-jsx' }),
      oneKindOfFonts(),
      recordPackages(at('out/bundled/renderer.json')),
      replayPlayer(),
    ],
    resolve: { alias: { 'drawable-jsx': at('src-renderer/drawable-jsx') } },
    build: {
      outDir: at('out/renderer'),
      // What the page begins with is announced in it, and read together. Later files are on this disk: announcing each of
      // them beforehand takes longer than reading it, and delays the first key.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
      },
      emptyOutDir: true,
      minify: true,
      rolldownOptions: {
        input: pages,
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: fewFiles({ whole: pages.index, entries: pages }) }],
          },
        },
      },
    },
  },
})
