/** The handlers of projects. They pass each call of an endpoint or a tool to a service and return its result. */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementTools } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { splitFilters } from "../records/RecordType.ts"
import { ProjectApi } from "./ProjectApi.ts"
import { ProjectMembers } from "./ProjectMembers.ts"
import { Projects } from "./Projects.ts"
import { ProjectTools } from "./ProjectTools.ts"

const rest = implement(
  ProjectApi,
  Effect.gen(function* () {
    const projects = yield* Projects
    const members = yield* ProjectMembers
    return {
      "projects.list": ({ urlParams }) => projects.list(splitFilters(urlParams, ["status"])),
      "projects.get": ({ path }) => projects.get(path.id),
      "projects.digest": ({ path }) => projects.digest(path.id),
      "projects.outputs": ({ path, urlParams }) =>
        Effect.map(projects.outputs(path.id, urlParams), (page) => pagedAnswer(page, (outputs) => ({ outputs }))),
      "projects.create": ({ payload }) => projects.create(payload),
      "projects.update": ({ path, payload: { expectedVersion, reasoning, sessionId, ...fields } }) =>
        projects.update(path.id, fields, { expectedVersion, reasoning, sessionId }),
      "projects.delete": ({ path }) => Effect.map(projects.remove(path.id), deleteResponse),
      "projects.file": ({ path, payload: { entityIds, ...details } }) =>
        Effect.as(members.file(path.id, entityIds, details), { projectId: path.id, entityIds }),
      "projects.unfile": ({ path }) =>
        Effect.as(members.unfile(path.id, path.entityId), deleteResponse({ id: path.entityId }))
    }
  })
)

const tools = implementTools(
  ProjectTools,
  Effect.map(Projects, (projects) => ({
    svc_list_projects: (input) =>
      Effect.map(projects.list(splitFilters(input, ["status"])), (page) =>
        pagedAnswer(page, (found) => ({ projects: found }))
      ),
    svc_get_project: ({ projectId }) =>
      Effect.all({ project: projects.get(projectId), digest: projects.digest(projectId) })
  }))
)

export const layer = Layer.mergeAll(rest, tools)
