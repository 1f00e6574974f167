/** A workspace to be, as it is asked for and as a proposal keeps it until a person approved it. */
import { Schema } from "effect"
import { strictly } from "../../doors/Faults.ts"
import { described, JsonObjectInput } from "../../doors/Fields.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { DefinedProfile, type NewWorkspace } from "./Workspace.ts"

const Text = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255)))
const orNull = <A, I>(schema: Schema.Schema<A | null, I>) => Schema.optionalWith(schema, { default: () => null })

export const WorkspaceWish = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255)),
  workspaceType: orNull(Text),
  templateId: orNull(Text),
  proposalId: orNull(Text),
  provisionKey: orNull(Text),
  /** The agent whose own workspace it will be. */
  agentUserId: orNull(Schema.NullOr(Schema.UUID)),
  definition: described("What it is to be made of.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) }))
})
export type WorkspaceWish = typeof WorkspaceWish.Type

export const wishOf = strictly(WorkspaceWish)

/** What an agent does unasked in the workspace that was made for it (compatibility reference §10). */
const unasked: ReadonlyArray<string> = [
  "search.*",
  "memory.recall",
  "entity.read",
  "entity.create",
  "entity.update",
  "relation.create",
  "relation.update",
  "document.create",
  "document.read",
  "view.create",
  "profile.*",
  "property_def.*",
  "bento.arrange",
  "context.*",
  "channel.create",
  "terminal.read_logs"
]

const ownPolicy = (agentUserId: string): WorkspacePolicy => ({
  governanceMode: "standard",
  autoApproveFor: unasked,
  linkedAgentId: agentUserId
})

/** What has to be done after the workspace itself is there with its person and its policy, in this order. */
export const steps = ["membership", "profiles"] as const
export type Step = (typeof steps)[number]

const profilesOf = Schema.decodeUnknownOption(Schema.Array(DefinedProfile))

/** What the steps need to know. */
export interface Provisions {
  readonly agentUserId: string | null
  readonly profiles: ReadonlyArray<DefinedProfile>
}

export const provisionsOf = ({ agentUserId, definition }: Pick<WorkspaceWish, "agentUserId" | "definition">) => {
  const found = profilesOf(definition["profiles"] ?? [])
  return { agentUserId, profiles: found._tag === "Some" ? found.value : [] } satisfies Provisions
}

/** The steps there are to do, from the one that failed on. */
export const stepsFor = ({ agentUserId, profiles }: Provisions, from: string | null): ReadonlyArray<Step> => {
  const begin = Math.max(
    steps.findIndex((step) => step === from),
    0
  )
  return steps.slice(begin).filter((step) => (step === "membership" ? agentUserId !== null : profiles.length > 0))
}

export const madeOf = (id: string, wish: WorkspaceWish): NewWorkspace => ({
  id,
  name: wish.name,
  workspaceType: wish.workspaceType,
  templateId: wish.templateId,
  proposalId: wish.proposalId,
  provisionKey: wish.provisionKey,
  definition: wish.definition,
  governance: wish.agentUserId === null ? null : ownPolicy(wish.agentUserId),
  provisioningStatus: stepsFor(provisionsOf(wish), null).length === 0 ? "ready" : "provisioning"
})
