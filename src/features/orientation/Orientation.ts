/**
 * Orientation: the answer that an agent reads first. It says who the agent is, in which spaces it is allowed to work,
 * what is new, and which work is waiting.
 */
import { Schema } from "effect"
import { commaList, described, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { cutText, fitToSize } from "../../doors/Fitting.ts"
import { Id } from "../../doors/Id.ts"
import { KeyEntity } from "../digest/Digest.ts"

// the maximum number of bytes of the whole answer if the caller requests the detail `light`
export const lightBytesMax = 4096
// the maximum number of characters of a name in a shortened answer
const lightTextMax = 80

export const Section = Schema.Literal("workspaces", "projects", "profiles", "news", "waiting")
export type Section = typeof Section.Type
export const sections: ReadonlyArray<Section> = Section.literals

const Detail = Schema.Literal("light", "full")

const MappedWorkspace = Schema.Struct({
  id: Id,
  name: Schema.String,
  role: described("Membership role of the person in the workspace.", Schema.String),
  entityCount: described("How many entities of the workspace the caller may read.", Schema.Number)
}).annotations({ identifier: "MappedWorkspace" })

const MappedProject = Schema.Struct({
  id: Id,
  name: Schema.String,
  status: Schema.String,
  workspaceId: Schema.NullOr(WorkspaceId)
}).annotations({ identifier: "MappedProject" })

const MappedProfile = Schema.Struct({
  slug: Schema.String,
  name: Schema.String,
  entityCount: described(
    "How many entities of the profile the caller may read. The pod counts at most 10,000 in each space.",
    Schema.Number
  )
}).annotations({ identifier: "MappedProfile" })

const Waiting = Schema.Struct({
  id: Id,
  summary: Schema.String,
  workspaceId: Schema.NullOr(WorkspaceId),
  createdAt: Timestamp
}).annotations({ identifier: "WaitingProposal" })

const list = <A, I>(meaning: string, item: Schema.Schema<A, I>) =>
  described(meaning, Schema.optionalWith(Schema.Array(item), { exact: true }))

export const Orientation = Schema.Struct({
  identity: described(
    "Who calls: the person, and the agent if an agent calls.",
    Schema.Struct({
      id: Id,
      name: Schema.String,
      agentId: described("Id of the calling agent; null if a person calls.", Schema.NullOr(Id)),
      scopes: described("Scopes: which operations the credential may call.", Schema.Array(Schema.String))
    })
  ),
  workspaces: list("Workspaces that the caller may read.", MappedWorkspace),
  projects: list("Projects that the caller may read, newest first.", MappedProject),
  profiles: list("Kinds and roles of entities, most used first.", MappedProfile),
  news: list("Entities that changed last.", KeyEntity),
  waiting: list("Proposals that wait for a person, latest first.", Waiting),
  leftOut: described(
    "For each list, how many items the answer leaves out.",
    Schema.Record({ key: Schema.String, value: Schema.Number })
  ),
  onboarding: described(
    "First steps for a new agent; present only if `detail` is `full`.",
    Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
  )
}).annotations({ identifier: "Orientation" })
export type Orientation = typeof Orientation.Type

const sectionList = commaList(Schema.Array(Section), 200)

const queryFields = {
  detail: described(
    "How much to return: `light` returns at most 4 kB; `full` lists more.",
    Schema.optionalWith(Detail, { default: () => "light" as const })
  ),
  scope: Schema.optional(
    sectionList.annotations({
      jsonSchema: { type: "string", description: `Wanted lists, separated by commas: \`${sections.join("`, `")}\`.` }
    })
  ),
  workspaceId: described("Id of a workspace: the answer is limited to this workspace.", Schema.optional(Id)),
  projectId: described("Id of a project: only changes of this project are listed.", Schema.optional(Id))
}

export const OrientQuery = Schema.Struct(queryFields)
export type OrientQuery = typeof OrientQuery.Type

// the minimum and the maximum number of tokens; a token has about four characters
const [budgetMin, budgetMax] = [500, 8000]

export const charactersPerToken = 4

/**
 * The maximum number of tokens of an answer. The caller chooses this number, because the caller's model pays for the
 * text that it reads.
 */
export const Budget = Schema.Int.pipe(Schema.between(budgetMin, budgetMax))

export const OrientInput = Schema.Struct({ ...queryFields, budget: Schema.optional(Budget) })

type Lists = Pick<Orientation, Section>

const shortenItem = <A extends object>(item: A): A =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === "string" ? cutText(value, lightTextMax) : value
    ])
  ) as A // The cast is right, because the result has the same fields as the input. Only the texts are shorter.

/** Builds the answer. Shortens its texts and lists until the answer fits into `sizeMax` bytes. Null means no limit. */
export const mapOf = (
  { leftOut, lists, ...rest }: Pick<Orientation, "identity" | "leftOut" | "onboarding"> & { readonly lists: Lists },
  sizeMax: number | null
): Orientation => {
  if (sizeMax === null) return { ...rest, ...lists, leftOut }
  const identity = shortenItem(rest.identity)
  const items = Object.entries(lists).map(([name, each]) => [name, each.map(shortenItem)] as const)
  const fit = fitToSize({ ...rest, identity }, Object.fromEntries(items), leftOut, sizeMax)
  // The cast is right, because `fit.lists` has the same lists with fewer items.
  return { ...rest, identity, ...(fit.lists as Lists), leftOut: fit.leftOut }
}
