import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A frame with nothing to do comes soon; on a busy machine it may never. */
const patienceMs = 300

/**
 * A part of the window whose code is loaded when it is first shown, but not before the frame that asks for it has been
 * drawn: to load it takes longer than to draw everything else, and the user can begin to type meanwhile.
 */
export const lazily = <Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    await new Promise((drawn) => requestIdleCallback(drawn, { timeout: patienceMs }))
    return { default: await load() }
  })
