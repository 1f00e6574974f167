/** The icons of the console, drawn as lines. An icon only decorates: the text or the label beside it says what it means. */

const paths = {
  agents:
    "M7 9h10a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM12 9V4M9.5 13.5v2M14.5 13.5v2M2 13v4M22 13v4",
  api: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  connect: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  connections: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16.5 6.5l3 3",
  events: "M3 12h4l3-8 4 16 3-8h4",
  explore: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.5 8.5l-2 5-5 2 2-5z",
  health:
    "M12 20C5.5 15.6 3 12.2 3 8.9 3 6.1 5.1 4 7.6 4 9.4 4 11 5 12 6.7 13 5 14.6 4 16.4 4 18.9 4 21 6.1 21 8.9c0 3.3-2.5 6.7-9 11.1z",
  home: "M3 11l9-8 9 8M5.5 9.5V20h4.5v-6h4v6h4.5V9.5",
  inbox: "M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5l1.5-3h5",
  memory: "M6 3h12v18l-6-4.5L6 21z",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  roles: "M12 3l8 3v6c0 4.5-3.4 7.7-8 9-4.6-1.3-8-4.5-8-9V6zM9 12l2 2 4-4",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",
  settings: "M4 7h9M19 7h1M16 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4 17h1M11 17h9M8 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  webhooks: "M13 2L4 14h7l-1 8 9-12h-7z",
  workspaces: "M12 3l9 5-9 5-9-5zM3 13l9 5 9-5"
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, className = "" }: { readonly name: IconName; readonly className?: string }) => (
  <svg
    aria-hidden
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={name === "more" ? 3 : 1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={`size-[1.125rem] shrink-0 ${className}`}
  >
    <path d={paths[name]} />
  </svg>
)
