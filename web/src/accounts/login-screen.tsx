import { login } from '@inventory-manager/contract/accounts/endpoints'
import { loginMessages } from '@inventory-manager/contract/accounts/messages'
import { isEmail } from '@inventory-manager/contract/accounts/rules'
import { useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { paths } from '../lib/paths.ts'
import { beginSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { AuthFrame } from './auth-frame.tsx'

const loginTimeoutMs = 10_000

/** Whether the server is not there to say what is wrong: nobody's credentials are. */
function isProxyFault({ isForeign, status }: ApiError): boolean {
  return isForeign && status !== null && status > 500
}

/** The sentence for a sign-in that failed (specification 8, 'Login'). */
function sentenceFor(error: unknown): string {
  if (!(error instanceof ApiError)) return loginMessages.browser
  if (error.kind === 'timeout') return loginMessages.timeout
  if (error.kind === 'network') return loginMessages.network
  if (error.kind === 'bad_reply') return loginMessages.noServerText
  if (error.status === 500 || isProxyFault(error)) return loginMessages.server
  if (error.status === 401) return loginMessages.credentials
  if (error.status === 429 || error.status === 503) return error.message
  return loginMessages.other
}

function faultOf(email: string, password: string): string | null {
  if (email === '' || password === '') return loginMessages.bothRequired
  return isEmail(email) ? null : loginMessages.emailFormat
}

/** The address of who comes here from registering; it goes with their entry of the history. */
function registeredEmail(): string {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('email' in state)) return ''
  return typeof state.email === 'string' ? state.email : ''
}

/** `notice`: why the last session ended, where somebody should know. `left`: what of it waits on this device. */
type LoginProps = { notice: string | null; left: ReactNode }

export function LoginScreen({ notice, left }: LoginProps) {
  const [email, setEmail] = useState(registeredEmail)
  const [password, setPassword] = useState('')
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: notice })
  const passwordRef = useRef<HTMLInputElement>(null)

  async function submit(): Promise<void> {
    const fault = faultOf(email.trim(), password)
    if (fault !== null) {
      setState({ busy: false, error: fault })
      return
    }
    // What was said stays until the answer: without it the form would move under the second press of a double click.
    setState((before) => ({ ...before, busy: true }))
    try {
      const body = { email: email.trim().toLowerCase(), passcode: password }
      const { token, user } = await call(login, { body }, { timeoutMs: loginTimeoutMs })
      beginSession(token, user)
    } catch (error) {
      setState({ busy: false, error: sentenceFor(error) })
    }
  }

  return (
    <AuthFrame title="Sign in to your account" isFront>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit().catch(reportError)
        }}
      >
        {state.error !== null && <Fault text={state.error} />}
        {left !== null && <Banner tone="info">{left}</Banner>}
        <TextField
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          placeholder="you@company.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            passwordRef.current?.focus()
          }}
        />
        <TextField
          ref={passwordRef}
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          placeholder="Your password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" submits rests={state.busy}>
          {state.busy ? 'Signing in...' : 'Sign In'}
        </Button>
      </form>
      <p className="mt-2 text-center text-sm">
        <Link
          href={paths.forgotPassword}
          className="inline-block py-3.5 text-accent-text underline-offset-4 hover:underline lg:py-2"
        >
          Forgot password?
        </Link>
      </p>
      <p className="text-center text-sm">
        <Link
          href={paths.register}
          className="inline-block py-3.5 text-accent-text underline-offset-4 hover:underline lg:py-2"
        >
          Don't have an account? Sign up
        </Link>
      </p>
    </AuthFrame>
  )
}
