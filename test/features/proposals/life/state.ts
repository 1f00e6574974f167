/** The state of the model, and the callers in it. */
import type { Credential, ModelGrant, Person } from "../../../doors/model.ts"
import type { ModelRule } from "../../../doors/ladderModel.ts"
import { callerSpecs, grantOf, type Ids, rolesOf, type SpaceName, spaceNames, thingSpecs } from "./smallWorld.ts"

/** The texts of an entity: its title and its description. */
export interface ThingTexts {
  readonly title: string
  readonly description: string | null
}

export interface Thing extends ThingTexts {
  readonly id: string
  readonly spaceId: string
  readonly kind: string
  readonly projectIds: ReadonlyArray<string>
  readonly version: number
  readonly isGone: boolean
}

export interface Content {
  readonly title?: string
  readonly description?: string | null
  readonly profileSlug?: string
  readonly projectId?: string
  readonly content?: string
  /** The fields of a command. */
  readonly name?: string
  readonly sharing?: string
}

export interface ModelProposal {
  readonly id: string
  readonly of: "entity" | "command"
  readonly action: "create" | "update" | "delete"
  readonly targetId: string
  readonly spaceId: string
  readonly kind: string
  readonly content: Content
  readonly base: { readonly version: number; readonly words: ThingTexts } | null
  readonly projectIds: ReadonlyArray<string>
  readonly summary: string
  /**
   * The number of the caller who made the proposal. Each caller has one credential, so the number also identifies the
   * credential.
   */
  readonly asker: number
  readonly editor: string | null
  readonly revision: number
  readonly status: string
  /** The result of `seenContent` when the proposal was made. */
  readonly firstSeen: string
  readonly written: { readonly content: Content; readonly before: ThingTexts | null } | null
}

export interface State {
  readonly ids: Ids
  readonly things: ReadonlyArray<Thing>
  readonly commands: ReadonlyArray<{
    readonly id: string
    readonly spaceId: string
    readonly ownerId: string
    readonly isPrivate: boolean
  }>
  readonly wishes: ReadonlyArray<ModelProposal>
  readonly rules: ReadonlyArray<ModelRule & { readonly id: string }>
  readonly capabilities: ReadonlyArray<string>
  readonly dead: ReadonlyArray<number>
}

export const initialState = (ids: Ids): State => ({
  ids,
  things: thingSpecs.map(({ kind, projects, space }, at) => ({
    id: ids.things[at],
    spaceId: ids.spaces[space],
    kind,
    projectIds: projects.map((name) => ids.projects[name]),
    title: `thing ${at}`,
    description: null,
    version: 1,
    isGone: false
  })),
  commands: [],
  wishes: [],
  rules: [],
  capabilities: ["*"],
  dead: []
})

/** A caller, with everything that the model needs to decide what this caller may do. */
export interface ModelCaller {
  readonly person: Person
  readonly credential: Credential
  readonly grant: ModelGrant | null
  readonly isAgent: boolean
  /** The id of the agent, or of the person if there is no agent. */
  readonly id: string
}

export const callerAt = ({ capabilities, ids }: State, by: number): ModelCaller => {
  const { grant: grantSpec, isAgent, person } = callerSpecs[by]
  const grant = grantSpec === null ? null : grantOf(grantSpec, ids)
  const roles = spaceNames.flatMap((name: SpaceName) => {
    const role = rolesOf[person][name]
    return role === undefined ? [] : [[ids.spaces[name], role] as const]
  })
  const permissions = isAgent ? (person === "ann" ? capabilities : ["*"]) : null
  return {
    person: { id: ids.people[person], roles: new Map([[ids.people[person], "owner"], ...roles]) },
    grant,
    isAgent,
    id: isAgent ? ids.agents[person] : ids.people[person],
    credential:
      grant === null
        ? { kind: "session" }
        : {
            kind: "key",
            scopes: ["hub-protocol.read", "hub-protocol.write"],
            grant,
            workspaceId: null,
            capabilities: permissions
          }
  }
}

export const personOf = ({ ids }: State, by: number): string => ids.people[callerSpecs[by].person]

/** Returns the entity of the model with this id. Returns undefined if the entity was deleted. */
export const existingThing = ({ things }: State, id: string): Thing | undefined =>
  things.find((thing) => thing.id === id && !thing.isGone)
