import FileCheck from 'lucide-react/icons/file-check'
import { Link } from 'wouter'
import { certificatePath } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { buttonClasses } from '../ui/button.tsx'

type CertificateProps = {
  /** Chosen on the certificate; the whole month where it is null. */
  session: string | null
  /** Of the session, where it may be another than the present one. */
  month?: string
}

/** Leads administrators from a count to its certificate. */
function CertificateLink({ session, month }: CertificateProps) {
  const { user, location } = useLocatedSession()
  if (user.role !== 'admin') return null
  const asked = {
    location,
    ...(session === null ? {} : { session }),
    ...(month === undefined ? {} : { month }),
  }
  return (
    <Link href={certificatePath(asked)} className={buttonClasses('secondary')}>
      <FileCheck aria-hidden className="size-4" />
      Count certificate
    </Link>
  )
}

type SoFar = CertificateProps & { counted: number; isComplete: boolean }

/** The way to the certificate of a count that is begun and not complete. */
export function CertificateSoFar({ counted, isComplete, ...of }: SoFar) {
  return counted === 0 || isComplete ? null : <CertificateLink {...of} />
}

/** Says that everything is counted, with the way to the certificate. */
export function CountDone({ isComplete, sentence, ...of }: Omit<SoFar, 'counted'> & { sentence: string }) {
  if (!isComplete) return null
  return (
    <Banner tone="good">
      <span className="flex flex-wrap items-center justify-between gap-3">
        {sentence}
        <CertificateLink {...of} />
      </span>
    </Banner>
  )
}

/** Whether nothing of a list is left to count. */
export function isAllCounted(counted: number, total: number): boolean {
  return total > 0 && counted === total
}
