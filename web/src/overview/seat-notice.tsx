import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'

/** What a person may do for whom the plan has no seat: staff, as administrators have the first ones. */
export function SeatNotice() {
  const { user } = useLocatedSession()
  if (user.seated !== false) return null
  return (
    <Banner tone="warn">
      You can read everything but change nothing: your company’s plan has no seat for you. Ask an
      administrator.
    </Banner>
  )
}
