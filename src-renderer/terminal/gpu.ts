import { WebglAddon } from '@xterm/addon-webgl'
import type { IDisposable, Terminal } from '@xterm/xterm'

/** Software renderers are slower than the page's own rendering. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

let hardware: boolean | undefined

function hasGpu(): boolean {
  if (hardware !== undefined) return hardware
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  const info = context?.getExtension('WEBGL_debug_renderer_info')
  const renderer = context && info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : ''
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  hardware = context !== null && !SOFTWARE.test(renderer)
  return hardware
}

/** Draws an open terminal on the GPU if there is one; the page's own renderer takes over when it is lost. */
export function drawOnGpu(terminal: Terminal): IDisposable {
  if (!hasGpu()) return { dispose: () => undefined }
  try {
    const addon = new WebglAddon()
    addon.onContextLoss(() => addon.dispose())
    terminal.loadAddon(addon)
    return addon
  } catch (error) {
    console.warn('The GPU renderer did not start; the terminal is drawn by the page instead.', error)
    return { dispose: () => undefined }
  }
}
