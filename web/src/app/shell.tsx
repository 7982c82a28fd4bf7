import LogOut from 'lucide-react/icons/log-out'
import MapPin from 'lucide-react/icons/map-pin'
import MenuIcon from 'lucide-react/icons/menu'
import Search from 'lucide-react/icons/search'
import { Suspense, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useCompanyColour, useLogoUrl } from '../session/branding.ts'
import { placeName } from '../session/place-names.ts'
import { report } from '../session/report.ts'
import { chooseLocation, useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { nameGoToKey } from '../ui/keys.tsx'
import { Menu } from '../ui/menu.tsx'
import { wantHeadingFocus } from '../ui/page.tsx'
import { useLogout } from './logout.tsx'
import { queueSign } from './outbox.ts'
import { screenAt, type screensFor } from './screens.tsx'
import { useShellKeys } from './shell-keys.tsx'

type Screens = ReturnType<typeof screensFor>

type NavLinksProps = { screens: Screens; stacked: boolean; onFollow?: () => void }

function NavLinks({ screens, stacked, onFollow }: NavLinksProps) {
  const [address] = useLocation()
  const under = screenAt(address)?.under
  const isIn = (path: string) => path === address || path === under
  return (
    <ul className={classNames('flex gap-1 desk:max-lg:gap-0', stacked && 'flex-col')}>
      {screens.map(({ path, label }) => (
        <li key={path}>
          <Link
            href={path}
            onClick={onFollow}
            aria-current={address === path ? 'page' : isIn(path)}
            className={classNames(
              'nav-link',
              stacked ? 'min-h-12 text-base lg:min-h-9 lg:text-sm' : 'h-9 text-sm',
              isIn(path) ? 'bg-accent-soft text-accent-text' : 'text-muted hover:bg-sunken hover:text-text',
            )}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function changeLocation(location: string): void {
  report({
    sku: 'CONFIG_LOCATION_CHANGE_INITIATED',
    location,
    metadata: { type: 'config_change', event_type: 'location_change_initiated' },
  }).catch(reportError)
  chooseLocation(null)
}

function SessionActions({ location, onLogout }: { location: string; onLogout: () => void }) {
  return (
    <>
      <Button look="quiet" className="max-desk:px-2" onClick={() => changeLocation(location)}>
        <MapPin aria-hidden className="size-4" />
        Change Location
      </Button>
      <Button look="quiet" className="max-desk:px-2" onClick={onLogout}>
        <LogOut aria-hidden className="size-4" />
        Logout
      </Button>
    </>
  )
}

/**
 * The brand, and where one works. On a handheld, a screen that needs its height (`useCompactPage`) has the place alone: that
 * is what is to be read there.
 */
function Place({ company, location }: { company: string; location: string }) {
  return (
    <>
      <span className="font-semibold whitespace-nowrap max-sm:sr-only max-desk:in-data-compact:sr-only">
        Inventory Manager
      </span>
      <div className="bar-place">
        <p className="truncate font-medium">{company}</p>
        <p className="truncate text-muted max-desk:in-data-compact:text-base">{location}</p>
      </div>
    </>
  )
}

/** After a link was followed, the focus goes to the new screen's heading. */
function useFocusOnArrival(): void {
  const [path] = useLocation()
  const last = useRef(path)
  // Before the effects of the new screen, which may appear in the same moment.
  useLayoutEffect(() => {
    if (last.current !== path) wantHeadingFocus()
    last.current = path
  }, [path])
}

type DeskNavigationProps = { screens: Screens; onGoAnywhere: () => void }

/** The links of a desk: the screens everybody has, the administrators' ones in a menu, and at the end the way to all of them. */
function DeskNavigation({ screens, onGoAnywhere }: DeskNavigationProps) {
  const [current] = useLocation()
  const ofGroup = (group: string) => screens.filter((screen) => screen.group === group)
  const administration = ofGroup('administration')
  return (
    <nav aria-label="Screens" className="flex h-11 items-center gap-1 px-3 max-desk:hidden lg:px-6">
      <NavLinks screens={ofGroup('bar')} stacked={false} />
      {administration.length > 0 && (
        <Menu label="Administration" current={administration.some(({ path }) => path === current)}>
          {(close) => <NavLinks screens={administration} stacked onFollow={close} />}
        </Menu>
      )}
      <button
        type="button"
        onClick={onGoAnywhere}
        className="nav-link ml-auto h-9 gap-2 text-sm text-muted hover:bg-sunken hover:text-text max-xl:hidden in-data-compact:hidden"
      >
        <Search aria-hidden className="size-4" />
        Go to
        <kbd className="font-mono text-xs">{nameGoToKey()}</kbd>
      </button>
    </nav>
  )
}

type MenuSheetProps = {
  screens: Screens
  onGoAnywhere: () => void
  onClose: () => void
  children: ReactNode
}

/** The links and the session's actions where the bar has no room for them, and the way to a component that is scanned. */
function MenuSheet({ screens, onGoAnywhere, onClose, children }: MenuSheetProps) {
  return (
    <Dialog
      title="Menu"
      onClose={onClose}
      actions={<div className="flex w-full justify-between">{children}</div>}
    >
      <Button
        look="quiet"
        className="mb-1 w-full justify-start! px-2! in-data-compact:hidden"
        onClick={() => {
          onClose()
          onGoAnywhere()
        }}
      >
        <Search aria-hidden className="size-5" />
        Find a component
      </Button>
      <nav aria-label="Screens">
        <NavLinks screens={screens} stacked onFollow={onClose} />
      </nav>
    </Dialog>
  )
}

/** The bar over every screen: brand, links, company, location; below 900 px the links stand in a sheet. */
export function Shell({ screens, children }: { screens: Screens; children: ReactNode }) {
  const { user, location } = useLocatedSession()
  const [menuOpen, setMenuOpen] = useState(false)
  const linked = screens.filter(({ group }) => group !== 'nowhere')
  const person = linked.filter(({ group }) => group === 'person')
  const logoUrl = useLogoUrl()
  const { logOut, question } = useLogout()
  const isQueueKnown = queueSign.useIsHere()
  const { goAnywhere, shown } = useShellKeys(linked)
  useCompanyColour()
  useFocusOnArrival()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:bg-surface focus:p-3"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-10 border-b border-line bg-surface print:hidden">
        <div className="flex h-14 w-full items-center gap-3 px-4 desk:h-12 lg:px-6">
          {logoUrl !== null && <img src={logoUrl} alt="" className="h-7 max-w-28 object-contain" />}
          <Place company={user.companyName} location={placeName(location)} />
          <div className="shrink-0 in-data-compact:hidden">
            {isQueueKnown && (
              <Suspense>
                <queueSign.Content />
              </Suspense>
            )}
          </div>
          <div className="flex items-center max-desk:hidden">
            <NavLinks screens={person} stacked={false} />
            <SessionActions location={location} onLogout={logOut} />
          </div>
          <button
            type="button"
            aria-label="Open menu"
            onClick={() => setMenuOpen(true)}
            className="-mr-2 grid size-12 shrink-0 place-items-center rounded-control hover:bg-sunken desk:hidden"
          >
            <MenuIcon aria-hidden className="size-6" />
          </button>
        </div>
        <DeskNavigation screens={screens} onGoAnywhere={goAnywhere} />
      </header>
      {menuOpen && (
        <MenuSheet screens={linked} onGoAnywhere={goAnywhere} onClose={() => setMenuOpen(false)}>
          <SessionActions
            location={location}
            onLogout={() => {
              setMenuOpen(false)
              logOut()
            }}
          />
        </MenuSheet>
      )}
      {question}
      {shown}
      {children}
    </div>
  )
}
