/**
 * Shows the kinds of entities and the other types of records, such as documents. Each line has the number of records
 * that the person sees.
 */
import { Link } from "@tanstack/react-router"
import type { AnswerOf } from "../../api/hub.ts"
import { useWholePreview } from "../keys/useGrantPreview.ts"
import { readType } from "./RecordReaders.tsx"
import { recordKinds } from "./recordKinds.ts"

type Profile = AnswerOf<"GET /api/hub/discover">["profiles"][number]

interface ProfileListProps {
  readonly profiles: ReadonlyArray<Profile>
  readonly workspaceId: string | undefined
  readonly shown: string
}

// The router sets `aria-current="page"` on the link to the current address, even if the link asks for another value. So
// the styles apply to every value of `aria-current`.
const linkClass =
  "text-text hover:bg-accent-soft flex justify-between gap-2 rounded-md px-2 py-1 no-underline aria-[current]:bg-chosen aria-[current]:font-semibold"

export const ProfileList = ({ profiles, shown, workspaceId }: ProfileListProps) => {
  // Two spaces can have a profile with the same name. The list then shows the records of both spaces together.
  const bySlug = [...new Map(profiles.map((profile) => [profile.slug, profile])).values()]
  const seen = useWholePreview()
  /** The number of records of a type. Undefined until the pod has answered. */
  const countOf = (type: string) =>
    seen.data?.counts
      .filter((row) => row.type === readType(type))
      .filter((row) => workspaceId === undefined || row.workspaceId === workspaceId)
      .reduce((sum, { count }) => sum + count, 0)
  return (
    <nav aria-label="Kinds of records" className="grid max-h-72 content-start gap-1 overflow-y-auto md:max-h-none">
      <p className="text-muted px-2 text-xs">Entities, by kind</p>
      <ul className="flex flex-wrap gap-0.5 md:grid">
        {bySlug.map(({ displayName, entityCount, slug }) => (
          <li key={slug}>
            <Link
              to="/explore"
              search={{ kind: slug, workspaceId }}
              className={linkClass}
              {...(shown === slug ? { "aria-current": "true" } : {})}
            >
              <span>{displayName}</span>
              <span className="text-muted tabular-nums">{entityCount}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="text-muted border-line mt-2 border-t px-2 pt-3 text-xs">Other records</p>
      <ul className="flex flex-wrap gap-0.5 md:grid">
        {recordKinds.map(({ many, type }) => (
          <li key={type}>
            <Link
              to="/explore"
              search={{ kind: `:${type}`, workspaceId }}
              className={linkClass}
              {...(shown === `:${type}` ? { "aria-current": "true" } : {})}
            >
              <span>{many}</span>
              <span className="text-muted tabular-nums">{countOf(type)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
