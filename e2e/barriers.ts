import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { type Deckhand, expect } from './app'
import { setTheme, themes } from './steps'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  impact: string | null
  nodes: { html: string; failureSummary?: string }[]
}

/** What hinders people seriously or altogether, in what is to be seen now, in both themes. */
export async function expectNoBarriers({ window, ...deckhand }: Deckhand, state: string): Promise<void> {
  for (const theme of themes) {
    await setTheme({ ...deckhand, window } as Deckhand, theme)
    // Colours fade over; half-way they are nobody's choice. What turns as long as something is under way has no end.
    await window.waitForFunction(() =>
      document
        .getAnimations()
        .every(
          (each) => each.playState !== 'running' || each.effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
        ),
    )
    const violations: Violation[] = await window.evaluate(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: axe is put into the page by this test
      const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] })
      return violations
    })
    const found = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join('\n')}`)
    expect.soft(found, `${state}, ${theme}`).toEqual([])
  }
}

/** Not by a script element, which the page's policy refuses, as it should. */
export const bringAxe = (window: Page): Promise<void> => window.evaluate(axe)
