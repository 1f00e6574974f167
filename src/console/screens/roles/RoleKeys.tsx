/**
 * Shows the keys that were made from a role. For each key, lists the changes of the role since the key was made. A
 * change of the role does not change the key.
 */
import { Link } from "@tanstack/react-router"
import { Badge } from "../../ui/Badge.tsx"
import { Time } from "../../ui/Time.tsx"
import { grantDraftOf, type Key, type Role } from "../keys/keyDraft.ts"
import { driftSentences } from "./grantDifference.ts"

export const keysOfRole = (roleId: string, keys: ReadonlyArray<Key>): ReadonlyArray<Key> =>
  keys.filter(({ role }) => role?.id === roleId)

export const RoleKeys = ({ keys, role }: { readonly role: Role; readonly keys: ReadonlyArray<Key> }) => {
  const roleKeys = keysOfRole(role.id, keys)
  if (roleKeys.length === 0) {
    return (
      <p>
        No key was made from this role yet.{" "}
        <Link to="/keys/new" search={{ role: role.id }}>
          Create one
        </Link>
      </p>
    )
  }
  return (
    <ul className="grid gap-3">
      {roleKeys.map((key) => {
        const drift = driftSentences(grantDraftOf(role.grant), grantDraftOf(key.grant))
        const isDrifted = key.role?.isDrifted === true
        return (
          <li key={key.id} className="border-line grid gap-1 rounded-md border p-3">
            <p className="flex flex-wrap items-center gap-2">
              <Link to="/connections" search={{ key: key.id }}>
                {key.keyName} …{key.lastFour}
              </Link>
              <Badge tone={key.isActive ? "good" : "plain"}>{key.isActive ? "active" : "ended"}</Badge>
              <Badge tone={isDrifted ? "warn" : "plain"}>{isDrifted ? "role has changed" : "as the role"}</Badge>
              <span className="text-muted">
                key created <Time at={key.createdAt} />
              </span>
            </p>
            {isDrifted && (
              <>
                <ul className="list-disc pl-5">
                  {drift.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
                <p>
                  <Link to="/keys/new" search={{ role: role.id, name: key.keyName }}>
                    Create a new key from the role as it is now
                  </Link>
                  , then revoke this one.
                </p>
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}
