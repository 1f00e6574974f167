/** Where the embedding of a question comes from, if the pod has such a service. Without one, facts are found by their words. */
import { Context, type Effect } from "effect"

export class Embeddings extends Context.Tag("pod/Embeddings")<
  Embeddings,
  {
    /** The embedding of a text; null where the service does not answer in time. */
    readonly embed: (text: string) => Effect.Effect<ReadonlyArray<number> | null>
  }
>() {}
