import './styles.css'
import { askEarly, listToCountAt } from '../api/early-reply.ts'
import { readToken } from '../api/token.ts'
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

askForScreen(location.pathname)
import('./main.tsx').catch(reportError)
