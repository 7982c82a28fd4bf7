import { useState } from 'react'
import { useLocatedSession } from '../session/session.ts'
import { part } from '../ui/part.tsx'
import { StaffCount } from './staff-count.tsx'

const adminCount = part(async () => (await import('./admin-count.tsx')).AdminCount)

/** Administrators count in their own cycle, everybody else in the blind monthly count (specification 2). */
export function MonthlyCountScreen() {
  const { user, location } = useLocatedSession()
  const [openedAs] = useState(user.role)
  // What is started and asked is of its location. Whoever becomes an administrator meanwhile goes on with what they count.
  const isAdministrators = openedAs === 'admin' && user.role === 'admin'
  return isAdministrators ? <adminCount.Content key={location} /> : <StaffCount key={location} />
}
