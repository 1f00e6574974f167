/** The layout of the console: the menu at the side, the bar at the top, and the current screen. */
import { Link, Outlet, useNavigate, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { hub } from "../api/hub.ts"
import { finishBeforeLeaving } from "../api/leaving.ts"
import { usePodName } from "../api/podName.ts"
import { signOut, useSession } from "../api/session.ts"
import { useWaiting } from "../screens/inbox/useWaiting.ts"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { paletteKey } from "./paletteKey.ts"
import { places } from "./navigation.ts"
import { Palette } from "./Palette.tsx"
import { ShortcutHelp } from "./ShortcutHelp.tsx"
import { useShortcuts } from "./shortcuts.ts"
import { ThemeSwitch } from "./ThemeSwitch.tsx"
import { useIsWide } from "./useIsWide.ts"
import { WorkspaceSwitch } from "./WorkspaceSwitch.tsx"

const waitingEveryMs = 30_000

/** Shows how many proposals wait for the person. Shows nothing until the number is known. */
const WaitingBadge = () => {
  const { query } = useWaiting(1, waitingEveryMs)
  const count = query.data?.total ?? 0
  return count === 0 ? null : (
    <span className="bg-accent text-on-accent ml-auto rounded-full px-1.5 text-xs" aria-label={`${count} waiting`}>
      {count > 99 ? "99+" : count}
    </span>
  )
}

const Rail = ({ onGo }: { readonly onGo: () => void }) => (
  <nav aria-label="Places" className="grid content-start gap-3 p-3">
    {places.map((group, index) => (
      <ul key={group[0]?.to} className={`grid gap-0.5 ${index === 0 ? "" : "border-line border-t pt-3"}`}>
        {group.map(({ icon, name, to }) => (
          <li key={to}>
            <Link
              to={to}
              onClick={onGo}
              activeOptions={{ exact: to === "/" }}
              className="text-text hover:bg-accent-soft aria-[current=page]:bg-chosen group flex min-h-9 items-center gap-3 rounded-md px-3 py-1.5 no-underline aria-[current=page]:font-semibold"
            >
              <Icon name={icon} className="text-muted group-aria-[current=page]:text-accent" />
              {name}
              {to === "/inbox" && <WaitingBadge />}
            </Link>
          </li>
        ))}
      </ul>
    ))}
  </nav>
)

export const Shell = () => {
  const session = useSession()
  const podName = usePodName()
  const navigate = useNavigate()
  const router = useRouter()
  const isWide = useIsWide()
  const [isRailOpen, setRailOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  useShortcuts([
    ...places
      .flat()
      .flatMap(({ keys, name, to }) =>
        keys === undefined ? [] : [{ keys, does: `Go to ${name}`, run: () => void navigate({ to }) }]
      ),
    { keys: "?", does: "Show all shortcuts", run: () => setHelpOpen(true) },
    { keys: "/", does: "Search and go", run: () => setPaletteOpen(true) }
  ])
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    addEventListener("keydown", open)
    return () => removeEventListener("keydown", open)
  }, [])
  // If the session ends in this tab or another tab, the sign-in page replaces the screen.
  useEffect(() => {
    if (session === undefined) void navigate({ to: "/sign-in", search: { next: router.state.location.href } })
  }, [session, navigate, router])
  if (session === undefined) return null

  const leave = async () => {
    await finishBeforeLeaving()
    // Even if this call fails, the console signs the person out.
    await hub("POST /auth/sign-out", {}).catch(() => undefined)
    signOut()
  }
  const account = (
    <>
      <ThemeSwitch />
      <span className="text-muted">{session.user.name}</span>
      <Button kind="quiet" onClick={() => void leave()}>
        Sign out
      </Button>
    </>
  )
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr] md:grid-cols-[13rem_minmax(0,1fr)]">
      {/*
         The page has a `<base>` element, so without `onClick` this link would open Home. Instead, `onClick` moves
         the focus to the content. */}
      <a
        href="#main"
        className="bg-raised sr-only z-50 p-2 focus:not-sr-only focus:fixed"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById("main")?.focus()
        }}
      >
        Skip to the content
      </a>
      <header className="border-line bg-panel col-span-full flex flex-wrap items-center gap-2 border-b px-3 py-2">
        <Button
          kind="quiet"
          className="md:hidden"
          aria-label="Menu"
          aria-expanded={isRailOpen}
          aria-controls="rail"
          onClick={() => setRailOpen(!isRailOpen)}
        >
          <Icon name="menu" />
        </Button>
        <Link
          to="/"
          title={podName}
          className="text-text mr-2 min-w-16 grow basis-0 truncate font-semibold no-underline md:max-w-60 md:min-w-0 md:grow-0 md:basis-auto"
        >
          {podName}
        </Link>
        <Button onClick={() => setPaletteOpen(true)} aria-keyshortcuts="Control+K Meta+K">
          <Icon name="search" className="text-muted" />
          <span className="max-[24rem]:sr-only">Search</span>{" "}
          <kbd className="text-muted hidden sm:inline">{paletteKey(navigator.platform)}</kbd>
        </Button>
        {isWide && <WorkspaceSwitch />}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <Link to="/connect" className={buttonClass("plain")}>
            <Icon name="connect" className="text-muted" />
            Connect
          </Link>
          {isWide && account}
        </div>
      </header>
      <div id="rail" className={`border-line bg-panel md:block md:border-r ${isRailOpen ? "block" : "hidden"}`}>
        <Rail onGo={() => setRailOpen(false)} />
        {!isWide && (
          <div className="border-line flex flex-wrap items-center gap-2 border-t p-3">
            <WorkspaceSwitch />
            {account}
          </div>
        )}
      </div>
      <main id="main" tabIndex={-1} className="min-w-0 p-4 -outline-offset-2">
        <Outlet />
      </main>
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
      <ShortcutHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}
