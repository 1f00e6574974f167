/**
 * The search parameters in the address of the inbox: the tab, the grouping, the open proposal, and how differences are
 * shown.
 */
export const tabs = ["waiting", "mine", "snoozed", "decided"] as const
export type InboxTab = (typeof tabs)[number]

export const tabNames: Readonly<Record<InboxTab, string>> = {
  waiting: "Waiting",
  mine: "From my agents",
  snoozed: "Snoozed",
  decided: "Decided"
}

export const decidedStatuses = ["approved", "rejected", "reverted", "withdrawn", "expired", "auto_approved"] as const
export type DecidedStatus = (typeof decidedStatuses)[number]

export const groupings = ["none", "agent", "session"] as const
export type Grouping = (typeof groupings)[number]

export const diffLooks = ["unified", "split", "words"] as const
export type DiffLook = (typeof diffLooks)[number]

export interface InboxSearch {
  readonly tab?: InboxTab
  readonly status?: DecidedStatus
  readonly group?: Grouping
  readonly id?: string
  readonly look?: DiffLook
  /** The place where the page of the list begins. */
  readonly after?: string | undefined
}

const oneOf = <T extends string>(choices: ReadonlyArray<T>, value: unknown): T | undefined =>
  choices.find((each) => each === value)

/**
 * Reads the search parameters of the inbox. Drops unknown values, so that an old or mistyped address still shows a
 * list.
 */
export const inboxSearchOf = (given: Readonly<Record<string, unknown>>): InboxSearch => {
  const tab = oneOf(tabs, given["tab"])
  const status = oneOf(decidedStatuses, given["status"])
  const group = oneOf(groupings, given["group"])
  const look = oneOf(diffLooks, given["look"])
  const { after, id } = given
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(status === undefined ? {} : { status }),
    ...(group === undefined ? {} : { group }),
    ...(look === undefined ? {} : { look }),
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof after === "string" ? { after } : {})
  }
}

const rowsOnPage = 100

/** The status of the proposals that the console requests for a tab. */
export const statusOf = ({ status = "approved", tab = "waiting" }: InboxSearch) =>
  tab === "decided" ? status : ("pending" as const)

// The pod accepts at most this many ids in one request.
const idsMax = 200

/**
 * The part of the request that selects the waiting proposals of a tab. `asleep` are the ids of the snoozed proposals.
 */
export const proposalsOfTab = ({ tab = "waiting" }: InboxSearch, asleep: ReadonlyArray<string>) => {
  const ids = asleep.toSorted().slice(0, idsMax).join(",")
  if (tab === "snoozed") return { ids }
  if (tab === "waiting" && ids !== "") return { exceptIds: ids }
  return tab === "mine" ? ({ whose: "mine" } as const) : {}
}

export const inboxInput = (search: InboxSearch, asleep: ReadonlyArray<string>) =>
  ({
    query: {
      status: statusOf(search),
      ...proposalsOfTab(search, asleep),
      view: "basic",
      limit: rowsOnPage,
      cursor: search.after
    }
  }) as const
