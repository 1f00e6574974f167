/** The layout of a screen: its title, its purpose, its actions, and the API preview with the calls of the screen. */
import type { ReactNode } from "react"
import { useTitle } from "../api/podName.ts"
import { ApiPreview } from "./ApiPreview.tsx"
import type { PreviewedCall } from "./callForms.ts"

interface PageProps {
  readonly title: string
  /** A link to the list in which the page is, such as "Inbox". It stands above the title. */
  readonly within?: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
  /** The calls that the screen makes. The API preview shows them as curl, fetch, tRPC and MCP. */
  readonly calls?: ReadonlyArray<PreviewedCall>
  readonly children: ReactNode
}

export const Page = ({ title, within, about, actions, calls = [], children }: PageProps) => {
  useTitle(title)
  return (
    <div className="grid min-w-0 gap-4">
      <header className="flex flex-wrap items-start gap-x-3 gap-y-2">
        {within !== undefined && (
          <nav aria-label="Where this page is" className="text-muted -mb-2 flex basis-full items-baseline gap-1">
            <span aria-hidden>‹</span>
            {within}
          </nav>
        )}
        {/* On a phone, a long title takes the whole line, and the actions stand below it. */}
        <h1 className="min-w-0 grow py-1 md:basis-36">{title}</h1>
        {/* The purpose stands below the actions, so that on a phone the actions fit beside the title. */}
        {about !== undefined && (
          <div className="text-muted order-last basis-full">
            <p className="max-w-prose">{about}</p>
          </div>
        )}
        <div className="flex flex-wrap items-center gap-2">
          {calls.length > 0 && <ApiPreview calls={calls} />}
          {actions}
        </div>
      </header>
      {children}
    </div>
  )
}

/** A box with its own heading. */
export const Panel = ({
  title,
  actions,
  children
}: {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <section className="border-line bg-panel grid min-w-0 content-start gap-3 rounded-lg border p-4">
    {(title !== undefined || actions !== undefined) && (
      <div className="flex flex-wrap items-center justify-between gap-2">
        {title !== undefined && <h2>{title}</h2>}
        {actions}
      </div>
    )}
    {children}
  </section>
)

/** Replaces a list without rows. Says why the list is empty, and what the person can do next. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="border-line text-muted grid content-start justify-items-start gap-2 rounded-lg border border-dashed p-6">
    <p className="text-text font-medium">{title}</p>
    {children}
  </div>
)
