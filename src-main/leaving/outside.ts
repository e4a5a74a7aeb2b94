import type { Engine } from '../engine'
import { createPromptBox, listenForPrompt } from './prompt-box'
import { keepTray, type TrayActions } from './tray'

/** What is there outside the window: the icon in the tray and the prompt box. */
export function stayReachable(
  engine: Engine,
  preload: string,
  { open, quit }: Pick<TrayActions, 'open' | 'quit'>,
): void {
  const openSession = (sessionId: string) => {
    open()
    engine.publish({ type: 'open-session', sessionId })
  }
  const box = createPromptBox(engine, { preload, openSession })
  keepTray(engine, { open, openSession, prompt: box.show, quit })
  listenForPrompt(engine, box)
}
