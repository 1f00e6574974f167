/** The facts that the Home page shows, computed from the answers of the pod. */
import type { ProcedureOutput } from "../../api/procedures.ts"

export type Key = ProcedureOutput<"apiKeys.list">[number]

export const endsSoonDays = 14
const dayMs = 86_400_000

/** The active keys that end within two weeks. The key that ends first comes first. */
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

type WebhookFigures = ProcedureOutput<"webhooks.figures">[number]
type DisabledReason = ProcedureOutput<"webhooks.list">[number]["disabledReason"]

const stopReasons = {
  gone: "its receiver said that it is gone",
  failing: "its calls failed for too long"
} as const

/** Why a person should check a webhook, in words; undefined if nothing is wrong with it. */
export const faultOf = (
  { disabledReason, id }: { readonly id: string; readonly disabledReason: DisabledReason },
  all: ReadonlyArray<WebhookFigures>
): string | undefined => {
  if (disabledReason !== null) return stopReasons[disabledReason]
  const figures = all.find(({ subscriptionId }) => subscriptionId === id)
  if (figures === undefined) return undefined
  const { arrived, ended, retrying } = figures
  const lost = ended - arrived
  const parts = [
    ...(lost === 0 ? [] : [`${lost} of ${ended} ${ended === 1 ? "delivery" : "deliveries"} failed in 24 h`]),
    ...(retrying === 0 ? [] : [`${retrying} ${retrying === 1 ? "delivery is" : "deliveries are"} tried again`])
  ]
  return parts.length === 0 ? undefined : parts.join(", ")
}

type Day = Pick<ProcedureOutput<"apiKeys.usageByDay">[number], "day" | "refusals">

export const spikeDays = 8 // today, and the seven days before it
const spikeTimes = 3 // how many times the usual number of refusals of a day is a spike
const spikeLeast = 10 // refusals; fewer are no spike, because a single mistyped key makes some

/**
 * Compares the refused calls of today with those of an average day before. `today` is a UTC date, as the pod counts
 * days. Days without calls are not in the list and count as zero.
 */
export const refusalSpike = (days: ReadonlyArray<Day>, today: string) => {
  const sum = (all: ReadonlyArray<Day>) => all.reduce((number, { refusals }) => number + refusals, 0)
  const now = sum(days.filter(({ day }) => day === today))
  const usual = sum(days.filter(({ day }) => day < today)) / (spikeDays - 1)
  return { now, usual, isSpike: now >= spikeLeast && now >= spikeTimes * usual }
}

export interface Step {
  readonly name: string
  readonly about: string
  readonly isDone: boolean
  /** The page on which the person does this step; undefined if the step has no page and the person only ticks it. */
  readonly to?: "/keys/new" | "/connect" | "/agents"
}

export interface StepFacts {
  readonly keys: ReadonlyArray<Pick<Key, "lastUsedAt" | "heldByAgent">>
  /** The number of proposals made so far that the person may read. */
  readonly proposals: number
  /** Whether the person has confirmed that backups exist. */
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
