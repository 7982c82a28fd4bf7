import type { Locator, Page } from '@playwright/test'
import axe, { type RunOnly } from 'axe-core'

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

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Looks for what breaks some rules; the page is taken as one, for it has no frames. */
async function judge(page: Page, runOnly: RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(async (only) => {
    const { violations } = await window.axe.run(document, { runOnly: only, resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' | ')}`,
    )
  }, runOnly)
}

const ofColours: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const ofAll: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
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
  await comeToRest(page)
  const light = await judge(page, ofAll)
  // Without motion the colours are there at once.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const dark = await judge(page, ofColours)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
  return [...light, ...dark, ...(await smallTextsOf(page))]
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
