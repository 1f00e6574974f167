/**
 * The public part of a workspace: the entities that have a public role, with only their public fields. The people of
 * the workspace choose the public roles and fields.
 */
import { Schema } from "effect"
import { described, JsonObject } from "../../doors/Fields.ts"
import { limitInput, limitQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { PublicProjection, titleField } from "../workspaces/WorkspaceSettings.ts"

// the maximum number of items on a page
const pageMax = 50
const pageDefault = 20

/**
 * Everybody may read the feed, without a credential. So a read costs no more in a large workspace: for each public role
 * it looks at this many entities, those of a kind with the latest change, and the latest entities that got the role.
 */
export const publicOfRoleMax = 1_000

export const ProjectionQuery = Schema.Struct({
  workspace: described("Id of the workspace.", Id),
  q: described("Words to search for.", Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)))),
  role: described(
    "List only entities with this role (slug). The pod ignores a role that is not public.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  ),
  limit: limitQuery(pageDefault, pageMax)
})
export type ProjectionQuery = typeof ProjectionQuery.Type

/** Public roles and fields that a person tries out before the pod stores them. */
export const PreviewedProjection = Schema.Struct({
  workspaceId: described("Id of the workspace.", Id),
  roles: PublicProjection.fields.roles,
  fields: PublicProjection.fields.fields,
  limit: described("Largest number of entities to return.", limitInput(pageDefault, pageMax))
}).annotations({ identifier: "PreviewedProjection" })
export type PreviewedProjection = typeof PreviewedProjection.Type

const PublicItem = Schema.Struct({
  id: Id,
  title: Schema.NullOr(Schema.String),
  role: described("Public entity kind or role (profile slug) of the entity.", Schema.String),
  properties: described("Values of the entity's public properties, by slug.", JsonObject)
}).annotations({ identifier: "PublicItem" })
export type PublicItem = typeof PublicItem.Type

export const PublicFeed = Schema.Struct({
  items: described("Entities of this page, among the 1,000 latest of each kind and role.", Schema.Array(PublicItem)),
  count: Schema.Number
}).annotations({
  identifier: "PublicFeed"
})
export type PublicFeed = typeof PublicFeed.Type

/** An entity as the store returns it, with its public and its hidden fields. */
export interface ProjectedEntity {
  readonly id: string
  readonly title: string
  /** The slug of the entity's kind and the slugs of its roles. */
  readonly roles: ReadonlyArray<string>
  readonly properties: Readonly<Record<string, unknown>>
}

/** Returns the roles to search for: the requested role if it is public, otherwise all public roles. */
export const requestedRoles = ({ roles }: PublicProjection, requestedRole: string | undefined): ReadonlyArray<string> =>
  requestedRole !== undefined && roles.includes(requestedRole) ? [requestedRole] : roles

/** Returns the public part of an entity. Its `role` is the first requested role that the entity has. */
export const publicItemOf = (
  config: PublicProjection,
  requestedRole: string | undefined,
  found: ProjectedEntity
): PublicItem => {
  const shown = config.fields.filter((name) => name !== titleField && Object.hasOwn(found.properties, name))
  return {
    id: found.id,
    title: config.fields.includes(titleField) ? found.title : null,
    role: requestedRoles(config, requestedRole).find((role) => found.roles.includes(role)) ?? "",
    properties: Object.fromEntries(shown.map((name) => [name, found.properties[name]]))
  }
}

/** Returns true if a public field of an entity contains the text. Does not search hidden fields. */
export const matchesSearch = ({ properties, title }: PublicItem, q: string | undefined): boolean =>
  q === undefined ||
  [title, ...Object.values(properties)].some(
    (value) =>
      (typeof value === "string" || typeof value === "number" || typeof value === "boolean") &&
      String(value).toLowerCase().includes(q.toLowerCase())
  )
