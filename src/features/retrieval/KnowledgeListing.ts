/** The deprecated search of knowledge. It lists the entries of one space that match a query, best first. */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, type Invalid, invalid, Unavailable } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { actorOf } from "../events/AppendEvent.ts"
import { Knowledge } from "../knowledge/Knowledge.ts"
import type { KnowledgeEntry } from "../knowledge/KnowledgeEntry.ts"
import { Search } from "../search/Search.ts"
import { questionOf } from "../search/text/Question.ts"
import { spaceToRead } from "../workspaces/WorkspaceAccess.ts"
import type { KnowledgeListingQuery } from "./RetrievalRequest.ts"

// seconds in the header `Retry-After` while the index is still loading
const loadingSeconds = 5

export class KnowledgeListing extends Context.Tag("pod/KnowledgeListing")<
  KnowledgeListing,
  {
    /**
     * Lists entries of the named workspace, or of the person's own space. Fails with Forbidden if the caller may not
     * read the workspace.
     */
    readonly list: (
      query: KnowledgeListingQuery
    ) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, Forbidden | Invalid | Unavailable, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const knowledge = yield* Knowledge
      const search = yield* Search

      return {
        list: Effect.fnUntraced(function* ({ limit, q, query, workspaceId }) {
          const text = q ?? query
          if (text === undefined) return yield* invalid("q", "Send the words to search for in q or query.")
          const space = yield* spaceToRead(workspaceId)
          const found = search.find({
            question: questionOf(text, actorOf(yield* Reach)),
            types: ["knowledge"],
            spaces: [space],
            projects: null,
            limit
          })
          const { items } = yield* Effect.catchTags(found, {
            IndexLoading: () =>
              new Unavailable({
                why: "The search index is still loading. Try again in a moment.",
                retryAfterSeconds: loadingSeconds
              })
          })
          // An entry is left out if somebody removed it after the search found it.
          return yield* knowledge.listByIds(items.map(({ id }) => id))
        })
      }
    })
  )
}
