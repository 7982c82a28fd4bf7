import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Colours between two states are no fault: what moves is let come to rest before it is judged. */
async function comeToRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
      ),
  )
}

/** Looks for what is wrong only, and at the page as one: frames of other origins, for which it opens a second page, there are none. */
const judge = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })

function describe({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] {
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' | ')}`,
  )
}

/** What stands in somebody's way, in the light and in the dark, which differ in nothing but colours. */
export async function barriersOf(page: Page): Promise<string[]> {
  // From its beginning: wherever else it was scrolled to, a field may lie half under what stays at the top.
  await page.evaluate(() => scrollTo(0, 0))
  await page.emulateMedia({ colorScheme: 'dark' })
  await comeToRest(page)
  const dark = await judge(page).withRules(['color-contrast', 'link-in-text-block']).analyze()
  await page.emulateMedia({ colorScheme: 'light' })
  await comeToRest(page)
  const light = await judge(page)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return [...describe(dark), ...describe(light)]
}
