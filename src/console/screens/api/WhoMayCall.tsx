/**
 * Shows which of the person's keys are allowed to call an operation, and why the other keys are not. The pod decides
 * this for each key.
 */
import { useQuery } from "@tanstack/react-query"
import { Badge } from "../../ui/Badge.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { Entry } from "../../api/reference.ts"
import { doorName, type Key, previewOf } from "./useKeyDoors.ts"
import { Inline } from "../../ui/Inline.tsx"

const OneKey = ({ entry, keyed }: { readonly entry: Entry; readonly keyed: Key }) => {
  const preview = useQuery(previewOf(keyed))
  return (
    <li className="grid gap-1">
      <QueryResult what={keyed.keyName} query={preview}>
        {({ doors }) => {
          const door = doors.find(
            ({ operation, surface }) => doorName(surface, operation) === doorName(entry.surface, entry.name)
          )
          return (
            <p>
              <Badge tone={door?.isOpen === true ? "good" : "bad"}>{door?.isOpen === true ? "may" : "may not"}</Badge>{" "}
              {keyed.keyName} <span className="text-muted">…{keyed.lastFour}</span>
              {door?.reason != null && (
                <span className="text-muted">
                  {" "}
                  — <Inline text={door.reason} />
                </span>
              )}
            </p>
          )
        }}
      </QueryResult>
    </li>
  )
}

// This many keys are shown, because the pod gets one request for each key.
const shownMax = 10

export const WhoMayCall = ({ entry, keys }: { readonly entry: Entry; readonly keys: ReadonlyArray<Key> }) => {
  if (!entry.credentials.includes("bearer")) {
    return (
      <p className="text-muted">
        {entry.credentials.length === 0
          ? "Everybody may call it, without a key."
          : entry.credentials.includes("operator")
            ? "No key and no sign-in may call it. Only the operator may call it, over the socket in the data directory."
            : "No key may call it, because it needs a sign-in."}
      </p>
    )
  }
  if (keys.length === 0) return <p className="text-muted">You have no active key.</p>
  return (
    <>
      <ul className="grid gap-1">
        {keys.slice(0, shownMax).map((key) => (
          <OneKey key={key.id} entry={entry} keyed={key} />
        ))}
      </ul>
      {keys.length > shownMax && (
        <p className="text-muted">Your {shownMax} latest keys are shown. Choose another one above the list.</p>
      )}
    </>
  )
}
