import { createServer, isRunnableDevEnvironment } from 'vite'

/**
 * Loads TypeScript of the app and of what measures it into this process. It stays open: what is measured loads some of its
 * code when that is used.
 */
export async function openLoader(): Promise<<Module>(path: string) => Promise<Module>> {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  const { ssr } = server.environments
  if (!isRunnableDevEnvironment(ssr)) throw new Error('Nothing can be loaded here.')
  return (path) => ssr.runner.import(path)
}
