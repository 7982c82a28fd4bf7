import { verifyAuditTrail } from '@inventory-manager/contract/audit/endpoints'
import { readSeal, sealText } from '@inventory-manager/contract/audit/kept-seal'
import { auditMessages } from '@inventory-manager/contract/audit/messages'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useMutation } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'

type ResultProps = EndpointReply<typeof verifyAuditTrail> & { tenantId: string; isCompared: boolean }

function Result({ checked, detached, head, fault, tenantId, isCompared }: ResultProps) {
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
      {isCompared && <p>The seal you kept is one of theirs.</p>}
      {head !== null && (
        <>
          <p className="mt-1">The newest seal, to be kept elsewhere:</p>
          <p className="font-mono text-sm wrap-anywhere">{sealText({ tenantId, ...head })}</p>
        </>
      )}
    </Banner>
  )
}

/** What keeps a text from being a seal of the company; an empty one asks for no comparison. */
function faultIn(text: string, tenantId: string): string | undefined {
  if (text.trim() === '') return undefined
  const kept = readSeal(text)
  if (kept === null) return 'A seal is written COMPANY:NUMBER:HASH, as a check shows it.'
  return kept.tenantId === tenantId ? undefined : 'This seal is of another company.'
}

/** Lets an administrator check that nobody changed the trail behind the program's back. */
export function VerifyTrail() {
  const { user } = useLocatedSession()
  const [text, setText] = useState('')
  const kept = readSeal(text)
  const verifying = useMutation({
    mutationFn: async () => {
      const body = kept === null ? {} : { seq: kept.seq, hash: kept.hash }
      return { ...(await call(verifyAuditTrail, { body })), isCompared: kept !== null }
    },
  })
  if (user.role !== 'admin') return null
  const error = faultIn(text, user.tenantId)
  return (
    <Card
      title="Proof against tampering"
      aside={
        <Button rests={verifying.isPending || error !== undefined} onClick={() => verifying.mutate()}>
          <ShieldCheck aria-hidden className="size-4" />
          {verifying.isPending ? 'Verifying...' : 'Verify the trail'}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">
          Each entry is sealed together with the one before it. Verifying compares every entry with its seal
          and finds what was changed, removed, added or moved. A seal that you keep elsewhere proves later
          that nothing before it was changed since, not even together with the seals.
        </p>
        <TextField
          label="A seal you kept"
          hint="From an earlier check here or of the server, where you have one."
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          value={text}
          error={error}
          onChange={(event) => {
            setText(event.target.value)
            verifying.reset()
          }}
        />
        {verifying.error !== null && <Fault text={messageOf(verifying.error)} />}
        {verifying.data !== undefined && <Result {...verifying.data} tenantId={user.tenantId} />}
      </div>
    </Card>
  )
}
