/**
 * The handlers of profiles. They pass each call of an endpoint, a procedure or a tool to the service and return its
 * result.
 */
import { Effect, Layer } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { mapPage, pagedAnswer } from "../../doors/Page.ts"
import { splitFilters } from "../records/RecordType.ts"
import { listedProfileOf, type ProfileListing, toWire } from "./Profile.ts"
import { ProfileApi, PropertyDefApi } from "./ProfileApi.ts"
import { ProfileRecords } from "./ProfileRecords.ts"
import { ProfileProcedures } from "./ProfileRpc.ts"
import { ProfileTools } from "./ProfileTools.ts"

const listHandler =
  ({ list }: typeof ProfileRecords.Service) =>
  ({ detail, ...query }: ProfileListing) =>
    Effect.map(list(query), (page) => mapPage(page, (profile) => listedProfileOf(detail, profile)))

const profiles = implement(
  ProfileApi,
  Effect.map(ProfileRecords, (records) => ({
    "profiles.list": ({ urlParams }) => listHandler(records)(urlParams),
    "profiles.get": ({ path }) => Effect.map(records.get(path.id), toWire),
    "profiles.create": ({ payload: { reasoning, sessionId, userId: _caller, workspaceId, ...fields } }) =>
      Effect.map(records.create({ workspaceId, fields, reasoning, sessionId }), toWire),
    "profiles.update": ({ path, payload: { expectedVersion, reasoning, sessionId, userId: _caller, ...fields } }) =>
      Effect.map(records.update(path.id, fields, { reasoning, sessionId, expectedVersion }), toWire),
    "profiles.delete": ({ path }) => Effect.map(records.remove(path.id), deleteResponse)
  }))
)

const definitions = implement(
  PropertyDefApi,
  Effect.map(ProfileRecords, ({ definitions }) => ({
    "propertyDefs.list": ({ urlParams }) => definitions.list(splitFilters(urlParams, ["profileId"])),
    "propertyDefs.create": Effect.fnUntraced(function* ({
      payload: { overlay, reasoning, sessionId, userId: _caller, workspaceId, ...fields }
    }) {
      if (overlay === true && (workspaceId ?? null) === null) {
        return yield* invalid("workspaceId", "An overlay belongs to one workspace. Send `workspaceId`.")
      }
      return yield* definitions.create({ workspaceId, fields, reasoning, sessionId })
    }),
    "propertyDefs.update": ({ path, payload: { expectedVersion, reasoning, sessionId, userId: _caller, ...fields } }) =>
      definitions.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
    "propertyDefs.delete": ({ path }) => Effect.map(definitions.remove(path.id), deleteResponse)
  }))
)

const procedures = implementProcedures(
  ProfileProcedures,
  Effect.map(ProfileRecords, (records) => ({
    "profiles.list": listHandler(records),
    "propertyDefs.list": (input) => records.definitions.list(splitFilters(input, ["profileId"]))
  }))
)

const tools = implementTools(
  ProfileTools,
  Effect.map(ProfileRecords, (records) => ({
    svc_list_profiles: (input) =>
      Effect.map(listHandler(records)(input), (page) => pagedAnswer(page, (profiles) => ({ profiles })))
  }))
)

export const layer = Layer.mergeAll(profiles, definitions, procedures, tools)
