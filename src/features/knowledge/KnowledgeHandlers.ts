/** Translates between what the Hub opens of knowledge entries and the service. */
import { Effect } from "effect"
import { Conflict, invalid, NotFound } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import { Knowledge } from "./Knowledge.ts"
import { KnowledgeApi } from "./KnowledgeApi.ts"
import type { KnowledgeReplacement } from "./KnowledgeEntry.ts"

const wire = {
  KnowledgeNotFound: () => Effect.fail(new NotFound({ why: "There is no such knowledge entry." })),
  KnowledgeKeyTaken: ({ key }: { readonly key: string }) =>
    Effect.fail(
      new Conflict({ code: "KEY_EXISTS", why: `The key ${key} is in use here. Send PUT to replace its entry.` })
    )
}

/** PUT takes the workspace in its query or in its body; two different ones are a mistake that must not be guessed at. */
const inOneWorkspace = (replacement: KnowledgeReplacement, asked: string | undefined) => {
  const named = replacement.workspaceId ?? undefined
  return asked !== undefined && named !== undefined && asked.toLowerCase() !== named.toLowerCase()
    ? Effect.fail(invalid("workspaceId", "The query and the body name different workspaces. Send one of them."))
    : Effect.succeed({ ...replacement, workspaceId: named ?? asked })
}

export const layer = implement(
  KnowledgeApi,
  Effect.map(Knowledge, (knowledge) => ({
    "knowledge.list": ({ urlParams }) => knowledge.list(urlParams),
    "knowledge.create": ({ payload }) =>
      Effect.catchTags(knowledge.create(payload), { KnowledgeKeyTaken: wire.KnowledgeKeyTaken }),
    "knowledge.get": ({ path, urlParams }) =>
      Effect.catchTags(knowledge.get(path.key, urlParams.workspaceId), { KnowledgeNotFound: wire.KnowledgeNotFound }),
    "knowledge.put": ({ path, urlParams, payload }) =>
      Effect.flatMap(inOneWorkspace(payload, urlParams.workspaceId), (replacement) =>
        knowledge.put(path.key, replacement)
      ),
    "knowledge.delete": ({ path, urlParams }) =>
      Effect.map(knowledge.archive(path.key, urlParams.workspaceId), (success) => ({ success }))
  }))
)
