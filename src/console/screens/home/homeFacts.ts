/** The values that the Home page shows, computed from the answers of the pod. */
import type { ProcedureOutput } from "../../api/procedures.ts"

export type Key = ProcedureOutput<"apiKeys.list">[number]

export const endsSoonDays = 14
const dayMs = 86_400_000

/** The active keys that expire within two weeks. The key that expires first comes first. */
export const keysThatEnd = (
  keys: ReadonlyArray<Key>,
  nowMs: number
): ReadonlyArray<Key & { readonly expiresAt: string }> =>
  keys
    .flatMap((key) => {
      const { expiresAt } = key
      if (expiresAt === null || !key.isActive) return []
      const remainingMs = Date.parse(expiresAt) - nowMs
      return remainingMs > 0 && remainingMs <= endsSoonDays * dayMs ? [{ ...key, expiresAt }] : []
    })
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt))

type WebhookFigures = ProcedureOutput<"webhooks.figures">[number]
type DisabledReason = ProcedureOutput<"webhooks.list">[number]["disabledReason"]

const stopReasons = {
  gone: "its receiver said that it is gone",
  failing: "its calls failed for too long"
} as const

/** Says in words why a person should check a webhook. Undefined if nothing is wrong with the webhook. */
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

// This number of days is read: today, and the seven days before.
export const spikeDays = 8
// A spike is at least this many times the usual number of refused calls in a day.
const spikeTimes = 3
// A spike has at least this many refused calls, because a single mistyped key already causes some.
const spikeLeast = 10

/**
 * Compares the refused calls of today with the average of the days before. `today` is a UTC date, because the pod
 * counts by UTC dates. The list `days` does not contain days without calls, and such a day counts as zero.
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
  /** The page on which the person does this step. Undefined if the step has no page, and the person only ticks it. */
  readonly to?: "/keys/new" | "/connect" | "/agents"
}

export interface StepFacts {
  readonly keys: ReadonlyArray<Pick<Key, "lastUsedAt" | "heldByAgent">>
  /** The number of all proposals that the person may read. */
  readonly proposals: number
  /** True if the person has confirmed that backups exist. */
  readonly hasBackup: boolean
}

/** The steps of the first week of a new pod. */
export const stepsOf = ({ hasBackup, keys, proposals }: StepFacts): ReadonlyArray<Step> => [
  { name: "Create the owner", about: "You are signed in, so this is done.", isDone: true },
  {
    name: "Create a key",
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
    about: "Create an agent and give it a capability. Its writes then wait for your decision.",
    isDone: proposals > 0,
    to: "/agents"
  },
  {
    name: "Have a backup",
    about:
      "By default the pod makes one every day, beside its data. Confirm when you keep a copy of the database and the secrets elsewhere.",
    isDone: hasBackup
  }
]
