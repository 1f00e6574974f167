/**
 * The small world in which proposals are made and decided: its people, their roles and grants, and its first records.
 */
import type { ModelGrant, MembershipRole } from "../../../doors/model.ts"

export const spaceNames = ["home", "shared", "other"] as const
export type SpaceName = (typeof spaceNames)[number]
export type ProjectName = "first" | "second"
export type Kind = "note" | "task"
export type PersonName = "ann" | "ben"

/**
 * The roles of Ann and Ben. `home` is Ann's own space. Ann and Ben are members of `shared`. `other` belongs to Ben, and
 * Ann can only read there. Ben's own space stays empty.
 */
export const rolesOf: Readonly<Record<PersonName, Partial<Record<SpaceName, MembershipRole>>>> = {
  ann: { home: "owner", shared: "owner", other: "viewer" },
  ben: { shared: "editor", other: "owner" }
}

/**
 * A grant in the form used in the tests. The tests number their entities and projects, so this form contains these
 * numbers. A real grant contains ids.
 */
export interface GrantSpec {
  readonly permissions: ReadonlyArray<string>
  readonly projects?: ReadonlyArray<ProjectName>
  readonly things?: ReadonlyArray<number>
}

export interface CallerSpec {
  readonly name: string
  readonly person: PersonName
  readonly isAgent: boolean
  /** Null for a person who is signed in and uses no key. */
  readonly grant: GrantSpec | null
}

const all = ["*"]
export const callerSpecs: ReadonlyArray<CallerSpec> = [
  { name: "Ann", person: "ann", isAgent: false, grant: null },
  { name: "Ben", person: "ben", isAgent: false, grant: null },
  { name: "Ann's agent", person: "ann", isAgent: true, grant: { permissions: all } },
  { name: "Ann's agent in the first", person: "ann", isAgent: true, grant: { permissions: all, projects: ["first"] } },
  {
    name: "Ann's agent in both",
    person: "ann",
    isAgent: true,
    grant: { permissions: all, projects: ["first", "second"] }
  },
  { name: "Ann's agent with two things", person: "ann", isAgent: true, grant: { permissions: all, things: [0, 1] } },
  {
    name: "Ann's agent for notes",
    person: "ann",
    isAgent: true,
    grant: { permissions: ["entity.note", "proposal"] }
  },
  {
    name: "Ann's agent without documents",
    person: "ann",
    isAgent: true,
    grant: { permissions: ["entity", "project", "relation", "command", "proposal"] }
  },
  { name: "Ben's agent", person: "ben", isAgent: true, grant: { permissions: all } },
  { name: "Ann's key for the first", person: "ann", isAgent: false, grant: { permissions: all, projects: ["first"] } },
  {
    name: "Ann's key for the second",
    person: "ann",
    isAgent: false,
    grant: { permissions: all, projects: ["second"] }
  },
  { name: "Ben's key for tasks", person: "ben", isAgent: false, grant: { permissions: ["entity.task", "proposal"] } }
]

export interface ThingSpec {
  readonly space: SpaceName
  readonly kind: Kind
  readonly owner: PersonName
  readonly projects: ReadonlyArray<ProjectName>
}

/** The entities that exist at first. Both projects are in `shared`. */
export const thingSpecs: ReadonlyArray<ThingSpec> = [
  { space: "shared", kind: "note", owner: "ann", projects: ["first"] },
  { space: "shared", kind: "task", owner: "ann", projects: ["second"] },
  { space: "shared", kind: "note", owner: "ben", projects: ["first", "second"] },
  { space: "home", kind: "note", owner: "ann", projects: [] }
]

/** All ids. The code that prepares the pod makes them, and the model uses the same ids. */
export interface Ids {
  readonly people: Readonly<Record<PersonName, string>>
  readonly agents: Readonly<Record<PersonName, string>>
  readonly spaces: Readonly<Record<SpaceName, string>>
  readonly projects: Readonly<Record<ProjectName, string>>
  readonly things: ReadonlyArray<string>
}

export const grantOf = ({ permissions, projects, things }: GrantSpec, ids: Ids): ModelGrant => ({
  permissions,
  workspaceIds: null,
  projectIds: projects?.map((name) => ids.projects[name]) ?? null,
  entityIds: things?.map((at) => ids.things[at]) ?? null
})
