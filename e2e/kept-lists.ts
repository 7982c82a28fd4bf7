import type { Page } from '@playwright/test'

/** The lists that this device keeps, as they came. The page has opened its database before. */
export const keptTexts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('inventory-manager')
        opening.addEventListener('error', () => reject(new Error('The database cannot be opened.')))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('kept').objectStore('kept').getAll()
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve(reading.result.map(({ text }) => String(text)).join('\n'))
          })
        })
      }),
  )
