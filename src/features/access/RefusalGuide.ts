/**
 * Explains a refusal to the caller. The explanation says what the credential lacks. It also has the URL of a form with
 * which a person can make a suitable key.
 */
import { Either } from "effect"
import type { ConsolePaths, NewKeyValues } from "../../doors/ConsoleLinks.ts"
import type { Guidance, Refused } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { withoutLastSlashes } from "../../platform/ParsedUrl.ts"
import { everyPermission, isLimited } from "../grants/Grant.ts"
import { parsePermission, segmentsCover } from "../grants/Permission.ts"

const namedMax = 8 // the maximum number of permissions or scopes in one sentence; the field `granted` lists all of them

const listText = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, namedMax).join(", ")
  return names.length > namedMax ? `${shown} and ${names.length - namedMax} more` : shown || "none"
}

const noun = (word: string, names: ReadonlyArray<string>) =>
  `the ${word}${names.length === 1 ? "" : "s"} ${listText(names)}`

const segmentsOf = (permission: string) => Either.getOrElse(parsePermission(permission), () => [permission])

/** Returns the permissions that a refusal asks for and that no granted permission covers. */
export const missingPermissions = ({
  granted,
  required
}: Pick<Refused, "granted" | "required">): ReadonlyArray<string> =>
  required.filter((needed) => !granted.some((one) => segmentsCover(segmentsOf(one), segmentsOf(needed))))

/**
 * Returns the permissions for which the caller must ask. A permission for a subject such as `apiKey` does not exist, so
 * for such a subject the caller must ask for `*`.
 */
const askable = (permissions: ReadonlyArray<string>): ReadonlyArray<string> =>
  permissions.every((one) => Either.isRight(parsePermission(one))) ? permissions : [everyPermission]

/**
 * Returns the values that fill in the form for a new key, so that the new key becomes a copy of the caller's key.
 * Returns no values for a session, because a session has no key to copy.
 */
const valuesFromKey = ({ credential }: Principal): NewKeyValues =>
  credential.kind === "key" ? { from: credential.id } : {}

const elsewhere = "is limited to other workspaces, projects or records"

interface MissingAccess {
  readonly why: string
  /**
   * The values that are already filled in when the form for a new key opens. Absent if a key with more permissions or
   * scopes would not help the caller.
   */
  readonly form?: NewKeyValues
}

const missingAccessOf = (principal: Principal, refusal: Refused): MissingAccess => {
  const { code, granted, required, why } = refusal
  const whose = principal.credential.kind === "key" ? "the key" : "the session"
  switch (code) {
    case "SCOPE_MISSING":
      return {
        why: `The operation needs ${noun("scope", required)}, but ${whose} has ${noun("scope", granted)}.`,
        form: { ...valuesFromKey(principal), scopes: [...new Set([...principal.scopes, ...required])] }
      }
    case "GRANT_DENIED": {
      const missing = missingPermissions(refusal)
      if (required.length === 0) return { why }
      if (missing.length === 0) return { why: `The key has ${noun("permission", required)}, but ${elsewhere}.` }
      return {
        why: `The write needs ${noun("permission", missing)}, but the key has ${noun("permission", granted)}.`,
        form: { ...valuesFromKey(principal), permissions: askable(missing) }
      }
    }
    case "GRANT_DOOR_UNSUPPORTED": {
      const missing = missingPermissions(refusal)
      const has = `the key has ${noun("permission", granted)}${isLimited(principal) ? " and is limited to certain workspaces, projects or records" : ""}`
      // The operation needs a permission without limits, and a copy of a limited key would have the same limits. So for
      // a limited key, the form gets the agent, the permissions and the scopes of the key, but not its limits.
      const start: NewKeyValues = isLimited(principal)
        ? {
            ...(principal.holder.kind === "agent" ? { agent: principal.holder.id } : {}),
            permissions: [...new Set([...granted, ...askable(missing)])],
            scopes: principal.scopes
          }
        : { ...valuesFromKey(principal), permissions: askable(missing) }
      return { why: `The operation needs ${noun("permission", required)} without limits, but ${has}.`, form: start }
    }
    default:
      return { why }
  }
}

/** Makes the function that explains refusals. `base` is the URL at which people open the pod in a browser. */
export const refusalGuide =
  (links: ConsolePaths, base: string) =>
  (principal: Principal, refusal: Refused): Pick<Guidance, "why" | "fix"> => {
    const { form, why } = missingAccessOf(principal, refusal)
    return form === undefined ? { why } : { why, fix: `${withoutLastSlashes(base)}${links.newKey(form)}` }
  }
