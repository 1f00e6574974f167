/**
 * The handlers of workspaces. They pass each call of an endpoint or a procedure to a service, and return its result.
 */
import { Effect, Layer, Predicate } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { NotFound } from "../../doors/Failure.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { Members } from "./Members.ts"
import { Memberships } from "./Memberships.ts"
import { Provisioning } from "./Provisioning.ts"
import type { WorkspaceNotFound } from "./Workspace.ts"
import { WorkspaceApi, WorkspaceProcedures } from "./WorkspaceApi.ts"
import { Workspaces } from "./Workspaces.ts"

// `catchIf` with a type guard does not remove the caught failure from the type of the failures. So the code states the
// remaining type.
const withNotFound = <A, E, R>(work: Effect.Effect<A, E | WorkspaceNotFound, R>) =>
  Effect.catchIf(
    work,
    (failure): failure is WorkspaceNotFound & E => Predicate.isTagged(failure, "WorkspaceNotFound"),
    () => Effect.fail(missingRecord("workspace"))
  ) as Effect.Effect<A, Exclude<E, WorkspaceNotFound> | NotFound, R>

const rest = implement(
  WorkspaceApi,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const provisioning = yield* Provisioning
    const members = yield* Members
    const memberships = yield* Memberships
    const detail = (id: string) => withNotFound(workspaces.get(id))
    /**
     * Runs a write and returns the workspace. Reads the workspace once before the write. So if the caller is not
     * allowed to read the workspace, the pod refuses the call and writes nothing.
     */
    const answering = <A, E, R>(id: string, work: Effect.Effect<A, E, R>) =>
      Effect.zipRight(detail(id), Effect.zipRight(work, detail(id)))

    return {
      "workspaces.list": () => workspaces.list,
      "workspaces.get": ({ path }) => detail(path.workspaceId),
      "workspaces.update": ({ path: { workspaceId }, payload: { description, name, reasoning, searchLanguage } }) =>
        answering(
          workspaceId,
          withNotFound(
            workspaces.update(
              workspaceId,
              () => ({
                ...(name === undefined ? {} : { name }),
                ...(description === undefined ? {} : { description }),
                ...(searchLanguage === undefined ? {} : { searchLanguage })
              }),
              reasoning
            )
          )
        ),
      "workspaces.fromDefinition": ({ payload }) => provisioning.fromDefinition(payload),
      "workspaces.provisionAgent": ({ payload }) => provisioning.forAgent(payload),
      "workspaces.retryProvisioning": ({ path: { workspaceId } }) =>
        answering(workspaceId, provisioning.retry(workspaceId)),
      "workspaces.enrollAgent": ({ payload }) => members.enroll(payload),
      "workspaces.changeMember": ({ path, payload: { role } }) =>
        Effect.as(memberships.change({ ...path, role }), { ...path, role }),
      "workspaces.removeMember": ({ path }) =>
        Effect.as(memberships.change({ ...path, role: null }), { status: "removed" as const, ...path }),
      "workspaces.providerRouting": ({ path: { workspaceId } }) =>
        Effect.map(withNotFound(workspaces.fields(workspaceId)), ({ providerRouting }) => ({
          ok: true as const,
          workspaceId,
          eveProviderRouting: providerRouting
        })),
      "workspaces.setProviderRouting": ({ path: { workspaceId }, payload: { reasoning, ...providerRouting } }) =>
        Effect.map(withNotFound(workspaces.update(workspaceId, () => ({ providerRouting }), reasoning)), (fields) => ({
          ok: true as const,
          workspaceId,
          eveProviderRouting: fields.providerRouting
        })),
      "workspaces.setSourceEdges": ({ path: { workspaceId }, payload: { reasoning, ...sourceEdges } }) =>
        Effect.map(
          withNotFound(
            workspaces.update(
              workspaceId,
              ({ defaultSources, sourceRoles }) => ({
                ...(sourceEdges.sourceRoles === undefined
                  ? {}
                  : { sourceRoles: { ...sourceRoles, ...sourceEdges.sourceRoles } }),
                ...(sourceEdges.defaultSources === undefined
                  ? {}
                  : { defaultSources: { ...defaultSources, ...sourceEdges.defaultSources } })
              }),
              reasoning
            )
          ),
          ({ defaultSources, sourceRoles }) => ({
            ok: true as const,
            status: "updated" as const,
            workspaceId,
            sourceRoles,
            defaultSources
          })
        ),
      "workspaces.setPublicProjection": ({ path: { workspaceId }, payload: { enabled, fields, roles, reasoning } }) =>
        Effect.map(
          withNotFound(
            workspaces.update(
              workspaceId,
              ({ publicProjection }) => ({
                publicProjection: { enabled, roles, fields: fields ?? publicProjection?.fields ?? [] }
              }),
              reasoning
            )
          ),
          ({ publicProjection }) => ({
            ok: true as const,
            workspaceId,
            ...(publicProjection ?? { enabled: false, roles: [], fields: [] })
          })
        )
    }
  })
)

const procedures = implementProcedures(
  WorkspaceProcedures,
  Effect.map(Workspaces, (workspaces) => ({
    "workspaces.list": () => Effect.map(workspaces.list, (listing) => listing.workspaces)
  }))
)

export const layer = Layer.mergeAll(rest, procedures)
