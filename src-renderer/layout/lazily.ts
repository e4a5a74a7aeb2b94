import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** An idle frame usually comes soon; on a busy machine it may never. */
const patienceMs = 300

/**
 * A component whose code is loaded when it is first shown, but only after the current frame was drawn: loading takes
 * longer than drawing everything else, and the user can start typing meanwhile.
 */
export const lazily = <Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    await new Promise((drawn) => requestIdleCallback(drawn, { timeout: patienceMs }))
    return { default: await load() }
  })
