import { Component, type ReactNode } from 'react'
import { buttonClasses } from '../ui/button.tsx'

type Props = { children: ReactNode }

/** The last resort when drawing a screen fails. React has no other form for it than a class. */
export class CrashBoundary extends Component<Props, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
    return (
      <main className="grid min-h-dvh place-items-center p-6 text-center">
        <div className="flex flex-col items-center gap-4">
          <h1 className="text-lg font-semibold">Something went wrong. Please try again later.</h1>
          <a href="/" className={buttonClasses('primary')}>
            Reload
          </a>
        </div>
      </main>
    )
  }
}
