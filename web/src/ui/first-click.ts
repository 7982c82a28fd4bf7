import type { MouseEvent } from 'react'

/** Does something at a click, and nothing at the second one of a double click: that is none for what stands there by then. */
export function firstClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act()
  }
}
