/** The entries of the console's menu, in their order. */
export interface NavigationEntry {
  readonly to: string
  readonly name: string
  /** The shortcut that opens this place, such as `g h`. */
  readonly keys?: string
}

export const places: ReadonlyArray<ReadonlyArray<NavigationEntry>> = [
  [
    { to: "/", name: "Home", keys: "g h" },
    { to: "/inbox", name: "Inbox", keys: "g i" },
    { to: "/explore", name: "Explore", keys: "g x" },
    { to: "/memory", name: "Memory", keys: "g m" },
    { to: "/events", name: "Events", keys: "g e" },
    { to: "/webhooks", name: "Webhooks", keys: "g w" }
  ],
  [
    { to: "/connections", name: "Connections", keys: "g k" },
    { to: "/roles", name: "Access roles", keys: "g r" },
    { to: "/agents", name: "Agents", keys: "g a" }
  ],
  [
    { to: "/workspaces", name: "Workspaces", keys: "g s" },
    { to: "/health", name: "Health" },
    { to: "/api", name: "API" },
    { to: "/settings", name: "Settings", keys: "g ," }
  ]
]
