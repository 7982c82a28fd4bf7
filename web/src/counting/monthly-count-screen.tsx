import { useLocatedSession } from '../session/session.ts'
import { AdminCount } from './admin-count.tsx'
import { StaffCount } from './staff-count.tsx'

/** Administrators count in their own cycle, everybody else in the blind monthly count (specification 2). */
export function MonthlyCountScreen() {
  const { user, location } = useLocatedSession()
  // What is started and asked is of its location.
  return user.role === 'admin' ? <AdminCount key={location} /> : <StaffCount key={location} />
}
