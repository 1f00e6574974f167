/** What Home says, computed from what the pod answers. */
import type { ProcedureOutput } from "../../api/procedures.ts"

export type Key = ProcedureOutput<"apiKeys.list">[number]

export const endsSoonDays = 14
const dayMs = 86_400_000

/** Active keys that end within two weeks, the next one first. */
export const keysThatEnd = (
  keys: ReadonlyArray<Key>,
  nowMs: number
): ReadonlyArray<Key & { readonly expiresAt: string }> =>
  keys
    .flatMap((key) => {
      const { expiresAt } = key
      if (expiresAt === null || !key.isActive) return []
      const left = Date.parse(expiresAt) - nowMs
      return left > 0 && left <= endsSoonDays * dayMs ? [{ ...key, expiresAt }] : []
    })
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt))

export interface Step {
  readonly name: string
  readonly about: string
  readonly isDone: boolean
  /** Where the step is done; undefined where the person only ticks it. */
  readonly to?: "/keys/new" | "/connect" | "/agents"
}

export interface StepFacts {
  readonly keys: ReadonlyArray<Pick<Key, "lastUsedAt" | "heldByAgent">>
  /** Proposals that were ever made, as far as the person may read them. */
  readonly proposals: number
  /** The person has confirmed that backups exist. */
  readonly hasBackup: boolean
}

/** The steps of the first week. */
export const stepsOf = ({ hasBackup, keys, proposals }: StepFacts): ReadonlyArray<Step> => [
  { name: "Create the owner", about: "You are signed in, so this is done.", isDone: true },
  {
    name: "Make a key",
    about: "A program needs one to call the pod.",
    isDone: keys.length > 0,
    to: "/keys/new"
  },
  {
    name: "Connect a client",
    about: "Done as soon as a key has called the pod once.",
    isDone: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
    to: "/connect"
  },
  {
    name: "Receive a first proposal",
    about: "Make an agent and give it a capability; what it writes then waits for you.",
    isDone: proposals > 0,
    to: "/agents"
  },
  {
    name: "Have a backup",
    about:
      "The pod makes one every day, beside its data. Tick this once a copy of the database and the secrets is kept elsewhere.",
    isDone: hasBackup
  }
]
