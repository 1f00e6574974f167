/** Shows pairs of a name and a value in two columns, each pair below the one before. */
import type { ReactNode } from "react"

export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className="grid min-w-0 grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="min-w-0">{value}</dd>
      </div>
    ))}
  </dl>
)
