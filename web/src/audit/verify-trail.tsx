import { verifyAuditTrail } from '@inventory-manager/contract/audit/endpoints'
import { auditMessages } from '@inventory-manager/contract/audit/messages'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useMutation } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'

function Result({ checked, detached, head, fault }: EndpointReply<typeof verifyAuditTrail>) {
  if (fault !== null) {
    return (
      <Banner tone="bad">
        <h3 className="font-semibold">The trail is not intact</h3>
        <p className="wrap-anywhere">{auditMessages.fault(fault)}</p>
        <p>{formatNumber(checked)} entries before it are as they were written.</p>
      </Banner>
    )
  }
  return (
    <Banner tone="good">
      <h3 className="font-semibold">The trail is intact</h3>
      <p>{formatNumber(checked)} entries are as they were written, in their order.</p>
      {detached > 0 && <p>{auditMessages.detached(detached)}</p>}
      {head !== null && (
        <p className="mt-1 font-mono text-sm wrap-anywhere">
          Seal {head.seq}: {head.hash}
        </p>
      )}
    </Banner>
  )
}

/** Lets an administrator check that nobody changed the trail behind the program's back. */
export function VerifyTrail() {
  const { user } = useLocatedSession()
  const verifying = useMutation({ mutationFn: () => call(verifyAuditTrail, {}) })
  if (user.role !== 'admin') return null
  return (
    <Card
      title="Proof against tampering"
      aside={
        <Button disabled={verifying.isPending} onClick={() => verifying.mutate()}>
          <ShieldCheck aria-hidden className="size-4" />
          {verifying.isPending ? 'Verifying...' : 'Verify the trail'}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">
          Each entry is sealed together with the one before it. Verifying compares every entry with its seal
          and finds what was changed, removed, added or moved. A seal kept elsewhere proves it later.
        </p>
        {verifying.error !== null && <Fault text={messageOf(verifying.error)} />}
        {verifying.data !== undefined && <Result {...verifying.data} />}
      </div>
    </Card>
  )
}
