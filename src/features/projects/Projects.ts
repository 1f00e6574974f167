/**
 * The service of projects. The gate checks every write of a project. New projects have two further rules: an agent must
 * name evidence, and the name must not be similar to the name of another project.
 */
import { Context, Effect, Layer } from "effect"
import { byUpdate, pageOfAll } from "../../doors/PageOrder.ts"
import { Conflict, type Forbidden, type Invalid, invalid, type NotFound } from "../../doors/Failure.ts"
import type { Cursor } from "../../doors/Cursor.ts"
import type { Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { DocumentHead } from "../documents/Document.ts"
import { Entities } from "../entities/Entities.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { Comparison, RecordOperations, GovernedOptions, WriteFailure } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import type { Digest } from "../digest/Digest.ts"
import { Digests } from "../digest/Digests.ts"
import { evidenceMin, Project, projectRuleInput, type ProjectDraft, type ProjectOutput } from "./Project.ts"
import { isNearName } from "./ProjectNames.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"

// The maximum number of projects whose names the pod compares with a new name. It compares the latest projects of the
// space.
const comparedMax = 1000
// the maximum number of similar projects that a refusal lists
const candidatesMax = 5

const outputOf =
  (type: ProjectOutput["type"]) =>
  ({ id, title, updatedAt }: Omit<ProjectOutput, "type">): ProjectOutput => ({ type, id, title, updatedAt })

export class Projects extends Context.Tag("pod/Projects")<
  Projects,
  Pick<RecordOperations<Project>, "list" | "get" | "update" | "remove"> & {
    /**
     * Creates a project. An agent must name at least five entities that it can read, as evidence. If the agent names
     * fewer, fails with Invalid. If a project of the same space has a similar name and `forceCreate` is not set, fails
     * with Conflict (code `SAME_NAME`). The failure then lists the similar projects in `details`.
     */
    readonly create: (draft: ProjectDraft) => Effect.Effect<Project, WriteFailure, Reach>
    readonly digest: (
      id: string
    ) => Effect.Effect<
      Digest & { readonly projectId: string; readonly name: string },
      NotFound | Forbidden | Invalid,
      Reach
    >
    /**
     * Lists the outputs of the project that the caller may read, latest change first. The outputs are the entities
     * filed in the project and the documents of the project.
     */
    readonly outputs: (
      id: string,
      page: { readonly limit: number; readonly offset: number; readonly cursor?: Cursor | undefined }
    ) => Effect.Effect<Page<ProjectOutput>, NotFound | Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const entities = yield* Entities
      const digests = yield* Digests

      /** Reads each of the entities with these ids once. Leaves out the entities that the caller may not read. */
      const readable = (ids: ReadonlyArray<string>) => entities.listByIds([...new Set(ids)])

      /**
       * Fails if another project has almost the same name. Compares only projects that the caller may read. So a
       * refusal never reveals the name of a project that is hidden from the caller.
       */
      const unlikeOthers = Effect.fnUntraced(function* (name: string, spaceId: string, itself: string) {
        const { items: others } = yield* records.list(Project, { spaces: [spaceId], limit: comparedMax })
        const candidates = others
          .filter((other) => other.id !== itself && isNearName(other.name, name))
          .slice(0, candidatesMax)
          .map(({ id, name, status }) => ({ id, name, status }))
        if (candidates.length > 0) {
          return yield* new Conflict({
            code: "SAME_NAME",
            why: `A project with the name “${candidates[0].name}” already exists. Use that project, or set \`forceCreate\` to true to create another one.`,
            details: { candidates }
          })
        }
      })

      /** A new project with almost the same name as another project needs `forceCreate`. */
      const comparison: Comparison<Project> = {
        comparedGroup: ({ name }, { action, ruleInput, object }) =>
          action === "create" && name !== undefined && ruleInput["forceCreate"] !== true
            ? `names of projects in ${object.spaceId}`
            : undefined,
        check: ({ name = "" }, { object, targetId }) => unlikeOthers(name, object.spaceId, targetId)
      }

      /** An agent must name evidence for a new project. */
      const check: GovernedOptions<Project>["check"] = Effect.fnUntraced(function* (
        { name },
        { action, ruleInput, moment }
      ) {
        if (action !== "create" || name === undefined) return
        const { principal } = yield* Reach
        // The pod has decoded the rule fields with their schema, so the cast is safe.
        const evidence = yield* readable((ruleInput["evidenceEntityIds"] ?? []) as ReadonlyArray<string>)
        if (principal.holder.kind === "agent" && evidence.length < evidenceMin && moment !== "approved") {
          return yield* invalid(
            "evidenceEntityIds",
            `Send the ids of at least ${evidenceMin} entities as evidence for the project; the pod found only ${evidence.length}.`
          )
        }
      })

      const projects = yield* governedRecords(Project, { ruleFields: projectRuleInput, check, comparison })

      return {
        list: projects.list,
        get: projects.get,
        update: projects.update,
        remove: projects.remove,
        create: Effect.fnUntraced(function* (draft) {
          const { principal } = yield* Reach
          const { evidenceEntityIds = [], forceCreate, reasoning, sessionId, workspaceId, ...rest } = draft
          const { agentUserId: _agent, userId: _caller, ...fields } = rest
          const spaceId = workspaceId ?? principal.personId
          yield* projects.mayCreate(workspaceId)
          const evidence = yield* readable(evidenceEntityIds)
          // The reasoning of the proposal lists the evidence for the person who decides. The list contains only
          // entities that every member of the space may read.
          const shown = evidence.filter((entity) => spaceOf(entity) === spaceId)
          const ground = shown.length === 0 ? [] : [`Evidence: ${shown.map(({ id }) => id).join(", ")}`]
          return yield* projects.create({
            workspaceId,
            fields,
            ruleInput: { evidenceEntityIds, forceCreate },
            reasoning: [...(reasoning ? [reasoning] : []), ...ground].join("\n\n") || null,
            sessionId
          })
        }),
        digest: Effect.fnUntraced(function* (id) {
          const { name } = yield* projects.get(id)
          return { projectId: id, name, ...(yield* digests.digestOf({ kind: "project", projectId: id, name })) }
        }),
        outputs: Effect.fnUntraced(function* (id, page) {
          yield* projects.get(id)
          const { cursor, limit, offset } = page
          // The code reads one entity and one document more than a page needs. If it gets one of these extra items,
          // there is a next page.
          const first = { limit: offset + limit + 1, offset: 0, cursor }
          const filed = yield* entities.list({ projectId: id, scope: "all", includePodWide: true, ...first })
          const written = yield* records.list(DocumentHead, { where: { projectId: id }, ...first })
          const found = [...filed.items.map(outputOf("entity")), ...written.items.map(outputOf("document"))]
          return pageOfAll(byUpdate, found, { limit, offset })
        })
      }
    })
  )
}
