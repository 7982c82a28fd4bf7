import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'

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

/** What is too small on a phone for bad light and an arm's length. What is drawn, as charts and labels are, has sizes of its own. */
async function smallTextsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    if (innerWidth >= 640) return []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const small: string[] = []
    while (texts.nextNode() !== null) {
      const text = texts.currentNode.textContent?.trim() ?? ''
      const element = texts.currentNode.parentElement
      if (text === '' || element === null || element.closest('svg, script, style, [aria-hidden]') !== null)
        continue
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      if (element.checkVisibility() && size < 16) small.push(`text of ${size} pixels: ${text}`)
    }
    return small
  })
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
  return [...describe(dark), ...describe(light), ...(await smallTextsOf(page))]
}

/** What gets the focus under something that stays in sight, going through the screen by Tab and back. */
export async function coveredOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const takers = [...document.querySelectorAll<HTMLElement>('#content :is(a, button, input, select)')]
    function isCovered(taker: HTMLElement): boolean {
      taker.focus()
      const { left, top, width, height } = taker.getBoundingClientRect()
      if (document.activeElement !== taker || width < 3) return false
      const at = document.elementFromPoint(left + width / 2, top + height / 2)
      return at !== null && at.closest('header, [role=toolbar], thead') !== null && !at.contains(taker)
    }
    scrollTo(0, document.body.scrollHeight)
    return [...takers.toReversed(), ...takers]
      .filter(isCovered)
      .map((taker) => `under what stays in sight: ${taker.outerHTML.slice(0, 120)}`)
  })
}

/** What leaves no room for the rest on a screen as low as a desk's at 400 %. */
export async function crampedOf(page: Page): Promise<string[]> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 256 })
  const found = await page.evaluate(() =>
    [...document.querySelectorAll('[role=toolbar], dialog[open] *')].flatMap((element) => {
      const { position, overflowY } = getComputedStyle(element)
      const isWithin = overflowY === 'auto' && element.scrollHeight > element.clientHeight
      if (position === 'sticky') return [`stays in sight: ${element.outerHTML.slice(0, 120)}`]
      return isWithin ? [`scrolls within a dialog: ${element.outerHTML.slice(0, 120)}`] : []
    }),
  )
  if (before !== null) await page.setViewportSize(before)
  return found
}

/** The surface of each of some elements where a person has set few colours of their own. */
export async function forcedSurfacesOf(page: Page, elements: Locator): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  await comeToRest(page)
  const surfaces = await elements.evaluateAll((all) =>
    all.map((one) => getComputedStyle(one).backgroundColor),
  )
  await page.emulateMedia({ forcedColors: 'none' })
  return surfaces
}
