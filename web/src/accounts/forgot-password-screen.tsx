import { forgotPassword } from '@inventory-manager/contract/accounts/link-endpoints'
import { loginMessages } from '@inventory-manager/contract/accounts/messages'
import { isEmail } from '@inventory-manager/contract/accounts/rules'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { paths } from '../lib/paths.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { AuthFrame } from './auth-frame.tsx'

/** The way back in: by mail where this installation sends any, else by an administrator. */
export function ForgotPasswordScreen() {
  const [email, setEmail] = useState('')
  const { faults, accept, forget } = useFaults<'email'>()
  const ask = useMutation({
    mutationFn: (address: string) => call(forgotPassword, { body: { email: address } }),
  })
  return (
    <AuthFrame title="Forgot your password?">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const found = isEmail(email) ? {} : { email: loginMessages.emailFormat }
          if (accept(found, event.currentTarget)) ask.mutate(email.trim())
        }}
      >
        {ask.error !== null && <Fault text={messageOf(ask.error)} />}
        {ask.data !== undefined && <Banner tone="info">{ask.data.message}</Banner>}
        <TextField
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          placeholder="you@company.com"
          value={email}
          error={faults.email}
          onChange={(event) => {
            setEmail(event.target.value)
            forget({ email })
          }}
        />
        <Button look="primary" submits rests={ask.isPending}>
          {ask.isPending ? 'Asking...' : 'Get a new password'}
        </Button>
      </form>
      <p className="mt-2 text-center text-sm">
        <Link
          href={paths.login}
          className="inline-block py-3.5 text-accent-text underline-offset-4 hover:underline lg:py-2"
        >
          Back to sign in
        </Link>
      </p>
    </AuthFrame>
  )
}
