/** Turns the options of `pod keys create` into the request for a key. */
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { mintableScopes } from "../doors/Scope.ts"
import { chosenWord } from "./ChosenRow.ts"
import { badUsage, type CliFailure } from "./CliFailure.ts"
import { type Fields, fieldsOf, textOf, textsOf } from "./AnswerFields.ts"
import { findAgent, findProject, findRole, findWorkspace, idFrom } from "./Lookups.ts"

const lifeDaysMax = 3650
const dayMs = 86_400_000

/**
 * Reads how long a key is valid, from `90d`, from a date such as `2027-03-01`, or from `never`. Returns the number of
 * days, or null for a key that never expires.
 */
export const lifeDays = (text: string, nowMs: number): Effect.Effect<number | null, CliFailure> => {
  if (text === "never") return Effect.succeed(null)
  const days = /^(\d+)d$/.exec(text)?.[1]
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  const found = days === undefined ? Math.ceil((date - nowMs) / dayMs) : Number(days)
  return found >= 1 && found <= lifeDaysMax
    ? Effect.succeed(found)
    : Effect.fail(
        badUsage(
          `${JSON.stringify(text)} is not a time at which a key can expire.`,
          "Use 90d, a later date such as 2027-03-01, or never."
        )
      )
}

const scopesDefault = ["hub-protocol.read", "mcp.read"]

const scopesOf = (requestedScopes: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, CliFailure> =>
  requestedScopes.length === 0
    ? Effect.succeed(scopesDefault)
    : Effect.forEach(requestedScopes, (scope) =>
        chosenWord(mintableScopes, scope, { noun: "scope", seeAll: `The scopes are ${mintableScopes.join(", ")}.` })
      )

export const keyOptions = {
  role: Options.text("role").pipe(
    Options.withDescription(
      "The access role from which the key gets its grant. With --permission, --workspace, --project or --entity, the key gets a changed copy of this grant, and is not listed as a key of the role."
    ),
    Options.optional
  ),
  permission: Options.text("permission").pipe(
    Options.withDescription(
      "A permission such as entity.knowledge.read; may be repeated. Without this option and without a role: everything that you may do."
    ),
    Options.repeated
  ),
  scope: Options.text("scope").pipe(
    Options.withDescription(
      `A surface that the key may call; may be repeated. Default: ${scopesDefault.join(" and ")}.`
    ),
    Options.repeated
  ),
  workspace: Options.text("workspace").pipe(
    Options.withDescription("A workspace that the key is limited to, by id or name; may be repeated."),
    Options.repeated
  ),
  project: Options.text("project").pipe(
    Options.withDescription("A project that the key is limited to, by id or name; may be repeated."),
    Options.repeated
  ),
  entity: Options.text("entity").pipe(
    Options.withDescription("The id of an entity that the key is limited to; may be repeated."),
    Options.repeated
  ),
  agent: Options.text("agent").pipe(
    Options.withDescription("The agent that holds the key, by id or name."),
    Options.optional
  ),
  toolProfile: Options.text("tool-profile").pipe(
    Options.withDescription("A set of MCP tools to which the key is limited: entry or builder."),
    Options.optional
  )
}

interface GivenKey {
  readonly role: Option.Option<string>
  readonly permission: ReadonlyArray<string>
  readonly scope: ReadonlyArray<string>
  readonly workspace: ReadonlyArray<string>
  readonly project: ReadonlyArray<string>
  readonly entity: ReadonlyArray<string>
  readonly agent: Option.Option<string>
  readonly toolProfile: Option.Option<string>
}

/**
 * The permissions of the key: those of the options and of the role. If the person gave neither, the key gets every
 * permission.
 */
export const permissionsOf = Effect.fnUntraced(function* ({ permission, role }: GivenKey) {
  if (Option.isNone(role)) return permission.length === 0 ? ["*"] : permission
  const { grant } = yield* findRole(role.value)
  return [...permission, ...textsOf(fieldsOf(grant)["permissions"])]
})

/** The limits of a grant: each is a list of ids. */
const axes = ["workspaceIds", "projectIds", "entityIds"] as const
type Limits = Readonly<Record<(typeof axes)[number], ReadonlyArray<string>>>

/** Narrows the grant of a role to the given limits. Fails if the role itself is limited to something else. */
const narrowedGrant = Effect.fnUntraced(function* (role: Fields, permissions: ReadonlyArray<string>, given: Limits) {
  const grant = fieldsOf(role["grant"])
  const limits: Partial<Record<keyof Limits, ReadonlyArray<string>>> = {}
  for (const axis of axes) {
    const ofRole = textsOf(grant[axis])
    const foreign = given[axis].find((id) => ofRole.length > 0 && !ofRole.includes(id))
    if (foreign !== undefined) {
      return yield* badUsage(
        `The role ${textOf(role["name"])} is limited to other ${axis.replace("Ids", "s")}: ${foreign} is not one of them.`,
        `To see the limits of the role, run \`pod roles show ${textOf(role["name"])}\`.`
      )
    }
    const ids = given[axis].length > 0 ? given[axis] : ofRole
    if (ids.length > 0) limits[axis] = ids
  }
  return { permissions: [...new Set([...textsOf(grant["permissions"]), ...permissions])], ...limits }
})

/**
 * Makes the grant of the request. A role alone is sent as its id, and the pod then copies the grant of the role. The pod
 * accepts nothing beside this id, so a role with further permissions or limits is sent as a copy of its grant.
 */
const grantOf = Effect.fnUntraced(function* ({ entity, permission, project, role, workspace }: GivenKey) {
  const found = Option.isNone(role) ? undefined : yield* findRole(role.value)
  const workspaceIds = yield* Effect.forEach(workspace, (text) => idFrom(text, findWorkspace))
  const projectIds = yield* Effect.forEach(project, (text) => idFrom(text, findProject))
  const given: Limits = { workspaceIds, projectIds, entityIds: entity }
  const limits = Object.fromEntries(Object.entries(given).filter(([, ids]) => ids.length > 0))
  if (found === undefined) return { permissions: permission.length === 0 ? ["*"] : permission, ...limits }
  return permission.length === 0 && Object.keys(limits).length === 0
    ? { roleId: textOf(found["id"]) }
    : yield* narrowedGrant(found, permission, given)
})

/**
 * Builds the fields that two requests have in common: the request for a new key, and the request for a preview of that
 * key.
 */
export const keyRequestOf = Effect.fnUntraced(function* (options: GivenKey) {
  const scope = yield* scopesOf(options.scope)
  const grant = yield* grantOf(options)
  const agentId = Option.isNone(options.agent) ? undefined : yield* idFrom(options.agent.value, findAgent)
  return {
    scope,
    grant,
    ...(agentId === undefined ? {} : { agentId }),
    ...(Option.isNone(options.toolProfile) ? {} : { toolProfile: options.toolProfile.value })
  }
})
