import './styles.css'
import { askEarly, listToCountAt } from '../api/early-reply.ts'
import { readToken } from '../api/token.ts'
import { isNotArrived } from '../lib/part-faults.ts'
import { paths } from '../lib/paths.ts'
import { readLocation } from '../session/stored-location.ts'
import { askForParts } from './early.ts'

/**
 * Asks at once for everything that the screen of an address needs, for whoever is signed in: on a slow network each thing
 * that is asked for only when another has arrived costs a way there and back.
 */
function askForScreen(address: string): void {
  if (readToken() === null) return
  const location = readLocation()
  if (address === paths.monthlyCount && location !== null) {
    askEarly(listToCountAt(location))
  }
  askForParts(address)
}

async function begin(): Promise<void> {
  askForScreen(location.pathname)
  await import('./main.tsx')
}

/** Why there is nothing else on the page. What is nobody's fault but the program's is reported. */
function reasonFor(error: unknown): string {
  if (error instanceof DOMException && error.name === 'SecurityError') {
    return 'This browser does not let Inventory Manager store anything on this device. Allow cookies and data of this site, then load the page again.'
  }
  if (isNotArrived(error)) {
    return 'Inventory Manager could not be loaded. Check your connection, then load the page again.'
  }
  reportError(error)
  return 'Something went wrong. Please try again later.'
}

begin().catch((error: unknown) => {
  const said = document.createElement('p')
  said.role = 'alert'
  said.className = 'p-6'
  said.textContent = reasonFor(error)
  document.querySelector('#root')?.replaceChildren(said)
})
