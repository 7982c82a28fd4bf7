import type { Page } from '@playwright/test'

/** The lists that this device keeps, as they came. */
export const keptTexts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('inventory-manager')
        // It is for the page to make it.
        opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
        opening.addEventListener('error', () => resolve(''))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('kept').objectStore('kept').getAll()
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve(reading.result.map(({ text }) => String(text)).join('\n'))
          })
        })
      }),
  )

/** Makes of the lists that this device keeps such as another version might have kept. */
export const spoilKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('inventory-manager')
        opening.addEventListener('success', () => {
          const writing = opening.result.transaction('kept', 'readwrite')
          const each = writing.objectStore('kept').openCursor()
          each.addEventListener('success', () => {
            each.result?.update({ ...each.result.value, text: '{"of":"another version"}' })
            each.result?.continue()
          })
          writing.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
  )

/** How many scans, and what is to be done to them, this device has written down; 0 before the page has made its database. */
export const countKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('inventory-manager')
        opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
        opening.addEventListener('error', () => resolve(0))
        opening.addEventListener('success', () => {
          const database = opening.result
          const counting = database.transaction('jobs').objectStore('jobs').count()
          counting.addEventListener('success', () => resolve(counting.result))
          database.close()
        })
      }),
  )
