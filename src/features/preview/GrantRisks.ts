/** The settings of a planned key that a person should check again before the pod makes the key. */
import type { Operation } from "../../doors/Operation.ts"
import type { Principal } from "../../doors/Principal.ts"
import { isLimited } from "../grants/Grant.ts"
import type { KeyEnd, WriteMode } from "./GrantSentence.ts"
import { hasEveryPermission } from "./ReadKinds.ts"
import type { GrantRisk } from "./Preview.ts"

const wholeText: Readonly<Record<WriteMode, string>> = {
  none: "Everybody who has the key may read everything that you can see",
  incapable: "The agent may read everything that you can see",
  proposing: "The agent may read everything that you can see, and may propose to change it",
  direct: "Everybody who has the key may change everything that you may change"
}

/**
 * What a key is allowed to do with the vault. With `reads`, it sees the entries without their secret values, which no
 * key can read.
 */
type VaultUse = "none" | "reads" | "writes"

/**
 * Returns what the key is allowed to do with the vault. The names of all operations of the vault begin with
 * `secretsVault.`.
 */
export const vaultUse = (open: ReadonlyArray<Operation>): VaultUse => {
  const found = open.filter(({ name }) => name.startsWith("secretsVault."))
  return found.some(({ door }) => door._tag === "Write") ? "writes" : found.length > 0 ? "reads" : "none"
}

const vaultText: Readonly<Record<VaultUse, string>> = {
  none: "",
  reads: "The key can read the names of the entries in your vault, but not their values.",
  writes:
    "The key can read the names of the entries in your vault, and may delete entries. It cannot read their values."
}

interface RiskyKey {
  readonly principal: Pick<Principal, "grant" | "workspaceId" | "scopes">
  readonly writing: WriteMode
  readonly end: KeyEnd
  readonly vault: VaultUse
}

export const risksOf = ({ end, principal, vault, writing }: RiskyKey): ReadonlyArray<GrantRisk> => {
  const { grant, scopes } = principal
  const isWhole = grant === null || hasEveryPermission(grant)
  const risks: ReadonlyArray<readonly [isPresent: boolean, risk: GrantRisk]> = [
    [end === null, { code: "NEVER_EXPIRES", reason: "The key never expires. A forgotten key stays valid." }],
    [
      isWhole,
      {
        code: "FULL_ACCESS",
        reason: `${wholeText[writing]}${isLimited(principal) ? ", within the limits of the grant" : ""}.`
      }
    ],
    [
      scopes.includes("hub-protocol.admin"),
      {
        code: "ADMINISTRATION",
        reason:
          "The scope `hub-protocol.admin` marks the key as privileged. It opens the same operations as `hub-protocol.write`."
      }
    ],
    [
      scopes.includes("setup.agent"),
      { code: "CREATES_AGENTS", reason: "The key may create agents with keys of their own." }
    ],
    [vault !== "none", { code: "VAULT", reason: vaultText[vault] }]
  ]
  return risks.flatMap(([isPresent, risk]) => (isPresent ? [risk] : []))
}
