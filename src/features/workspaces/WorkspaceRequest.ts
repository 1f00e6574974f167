/** The request for a new workspace, as a caller sends it and as a proposal stores it until a person approves it. */
import { Schema } from "effect"
import { strictDecoder } from "../../doors/Faults.ts"
import { described, JsonObjectInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import type { WorkspacePolicy } from "../gate/Policy.ts"
import { type DefinedProfile, DefinedProfiles, definedProfilesMax, type NewWorkspace } from "./Workspace.ts"

const Text = Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255)))

const areProfiles = Schema.is(DefinedProfiles)

/** A definition in a proposal. Its profiles have the same limits as the profiles in a request. */
const Definition = JsonObjectInput.pipe(
  Schema.filter(({ profiles }) => profiles === undefined || areProfiles(profiles), {
    message: () =>
      `\`profiles\` must be a list of at most ${definedProfilesMax} profiles, each with \`slug\` and \`displayName\`.`
  })
)

const orNull = <A, I>(schema: Schema.Schema<A | null, I>) => Schema.optionalWith(schema, { default: () => null })

export const WorkspaceRequest = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255)),
  workspaceType: orNull(Text),
  templateId: orNull(Text),
  proposalId: orNull(Text),
  provisionKey: orNull(Text),
  /** The id of the agent for which the pod creates the workspace. */
  agentUserId: orNull(Schema.NullOr(Id)),
  definition: described(
    "Definition from which the workspace is created.",
    Schema.optionalWith(Definition, { default: () => ({}) })
  )
})
export type WorkspaceRequest = typeof WorkspaceRequest.Type

export const workspaceRequestOf = strictDecoder(WorkspaceRequest)

/**
 * The permissions that an agent can use without approval in a workspace that was created for this agent (compatibility
 * reference §10).
 */
const withoutApproval: ReadonlyArray<string> = [
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
  autoApproveFor: withoutApproval,
  linkedAgentId: agentUserId
})

/**
 * The steps of the creation, in this order. Before the first step, the workspace already has its owner and its policy.
 */
export const steps = ["membership", "profiles"] as const
export type Step = (typeof steps)[number]

const profilesOf = Schema.decodeUnknownOption(DefinedProfiles)

export interface ProvisioningInput {
  readonly agentUserId: string | null
  readonly profiles: ReadonlyArray<DefinedProfile>
}

export const provisioningInputOf = ({
  agentUserId,
  definition
}: Pick<WorkspaceRequest, "agentUserId" | "definition">) => {
  const found = profilesOf(definition["profiles"] ?? [])
  return { agentUserId, profiles: found._tag === "Some" ? found.value : [] } satisfies ProvisioningInput
}

/** Makes the event for the end of the creation of a workspace. `failedStep` is null if every step succeeded. */
export const creationEvent = (workspaceId: string, failedStep: string | null) => ({
  type: failedStep === null ? "workspace.ready" : "workspace.failed",
  subjectId: workspaceId,
  data: failedStep === null ? {} : { step: failedStep }
})

/**
 * Returns the remaining steps of the creation. `from` is the step that failed, and the creation continues with this
 * step. If `from` is null, the creation begins with the first step.
 */
export const openSteps = ({ agentUserId, profiles }: ProvisioningInput, from: string | null): ReadonlyArray<Step> => {
  const begin = Math.max(
    steps.findIndex((step) => step === from),
    0
  )
  return steps.slice(begin).filter((step) => (step === "membership" ? agentUserId !== null : profiles.length > 0))
}

export const newWorkspaceOf = (id: string, workspaceRequest: WorkspaceRequest): NewWorkspace => ({
  id,
  name: workspaceRequest.name,
  workspaceType: workspaceRequest.workspaceType,
  templateId: workspaceRequest.templateId,
  proposalId: workspaceRequest.proposalId,
  provisionKey: workspaceRequest.provisionKey,
  definition: workspaceRequest.definition,
  governance: workspaceRequest.agentUserId === null ? null : ownPolicy(workspaceRequest.agentUserId),
  provisioningStatus: openSteps(provisioningInputOf(workspaceRequest), null).length === 0 ? "ready" : "provisioning"
})
