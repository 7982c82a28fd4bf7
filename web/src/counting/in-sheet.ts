import { createContext } from 'react'

/** Whether a list has a sheet to itself: all of it is shown there, in the room that there is. */
export const InSheet = createContext(false)
