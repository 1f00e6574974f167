/** The entries of the console's menu, in their order. */
import type { IconName } from "../ui/Icon.tsx"

export interface NavigationEntry {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  /** The shortcut that opens this place, such as `g h`. */
  readonly keys?: string
}

export const places: ReadonlyArray<ReadonlyArray<NavigationEntry>> = [
  [
    { to: "/", name: "Home", icon: "home", keys: "g h" },
    { to: "/inbox", name: "Inbox", icon: "inbox", keys: "g i" },
    { to: "/explore", name: "Explore", icon: "explore", keys: "g x" },
    { to: "/memory", name: "Memory", icon: "memory", keys: "g m" },
    { to: "/events", name: "Events", icon: "events", keys: "g e" },
    { to: "/webhooks", name: "Webhooks", icon: "webhooks", keys: "g w" }
  ],
  [
    { to: "/connections", name: "Connections", icon: "connections", keys: "g k" },
    { to: "/roles", name: "Access roles", icon: "roles", keys: "g r" },
    { to: "/agents", name: "Agents", icon: "agents", keys: "g a" }
  ],
  [
    { to: "/workspaces", name: "Workspaces", icon: "workspaces", keys: "g s" },
    { to: "/health", name: "Health", icon: "health" },
    { to: "/api", name: "API", icon: "api" },
    { to: "/settings", name: "Settings", icon: "settings", keys: "g ," }
  ]
]
