import { logout } from '@inventory-manager/contract/accounts/endpoints'
import { getLocation } from '@inventory-manager/contract/locations'
import { LogOut, MapPin, Menu } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../api/client.ts'
import { paths } from '../lib/paths.ts'
import { report } from '../session/report.ts'
import { chooseLocation, endSession, useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'

const links = [
  { path: paths.overview, label: 'Overview' },
  { path: paths.graphs, label: 'Analytics' },
  { path: paths.generateLabels, label: 'Generate Labels' },
  { path: paths.printSettings, label: 'Print Labels' },
  { path: paths.monthlyCount, label: 'Monthly Count' },
  { path: paths.weeklyCount, label: 'Weekly Count' },
  { path: paths.auditTrail, label: 'Audit Trail' },
]

function NavLinks({ onFollow, stacked }: { onFollow?: () => void; stacked: boolean }) {
  const [current] = useLocation()
  const { location } = useLocatedSession()
  const { supportsWeeklyCount } = getLocation(location)
  return (
    <ul className={classNames('flex gap-1', stacked && 'flex-col')}>
      {links
        .filter(({ path }) => path !== paths.weeklyCount || supportsWeeklyCount)
        .map(({ path, label }) => (
          <li key={path}>
            <Link
              href={path}
              onClick={onFollow}
              aria-current={current === path ? 'page' : undefined}
              className={classNames(
                'flex items-center rounded-control px-2 font-medium whitespace-nowrap',
                stacked ? 'min-h-12 text-base' : 'h-9 text-sm',
                current === path
                  ? 'bg-accent-soft text-accent-text'
                  : 'text-muted hover:bg-sunken hover:text-text',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
    </ul>
  )
}

/** Ends the session here at once, and on the server as soon as it answers. */
function signOut(): void {
  const ended = call(logout, {}, { timeoutMs: 5_000 })
  endSession()
  // Without a network the server's session ends by its own time.
  ended.catch(() => false)
}

function changeLocation(location: string): void {
  report({
    sku: 'CONFIG_LOCATION_CHANGE_INITIATED',
    location,
    metadata: { type: 'config_change', event_type: 'location_change_initiated' },
  }).catch(reportError)
  chooseLocation(null)
}

function SessionActions({ location }: { location: string }) {
  return (
    <>
      <Button look="quiet" onClick={() => changeLocation(location)}>
        <MapPin aria-hidden className="size-4" />
        Change Location
      </Button>
      <Button look="quiet" onClick={signOut}>
        <LogOut aria-hidden className="size-4" />
        Logout
      </Button>
    </>
  )
}

/** The bar over every screen: brand, links, company, location; below 900 px the links stand in a sheet. */
export function Shell({ children }: { children: ReactNode }) {
  const { user, location } = useLocatedSession()
  const [menuOpen, setMenuOpen] = useState(false)
  const { name } = getLocation(location)
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:bg-surface focus:p-3"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-10 border-b border-line bg-surface">
        <div className="flex h-14 w-full items-center gap-3 px-4 lg:px-6">
          <span className="font-semibold whitespace-nowrap">Inventory Manager</span>
          <nav aria-label="Screens" className="hidden min-w-0 flex-1 overflow-x-auto xl:block">
            <NavLinks stacked={false} />
          </nav>
          <div className="ml-auto min-w-0 text-right text-xs leading-tight">
            <p className="truncate font-medium">{user.companyName}</p>
            <p className="truncate text-muted">{name}</p>
          </div>
          <div className="hidden items-center xl:flex">
            <SessionActions location={location} />
          </div>
          <button
            type="button"
            aria-label="Open menu"
            onClick={() => setMenuOpen(true)}
            className="-mr-2 grid size-12 shrink-0 place-items-center rounded-control hover:bg-sunken xl:hidden"
          >
            <Menu aria-hidden className="size-6" />
          </button>
        </div>
      </header>
      {menuOpen && (
        <Dialog
          title="Menu"
          onClose={() => setMenuOpen(false)}
          actions={<SessionActions location={location} />}
        >
          <nav aria-label="Screens">
            <NavLinks stacked onFollow={() => setMenuOpen(false)} />
          </nav>
        </Dialog>
      )}
      {children}
    </div>
  )
}
