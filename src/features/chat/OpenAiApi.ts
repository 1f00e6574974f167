/** The endpoints that OpenAI clients call. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import { everyKind, self } from "../../doors/Door.ts"
import { NoProvider, NotFound, UpstreamFailed, UpstreamTimedOut } from "../../doors/Failure.ts"
import { described } from "../../doors/Fields.ts"
import { openAiMount } from "../../doors/Mounts.ts"
import { retrievedSubjects } from "../retrieval/RetrievalDoor.ts"
import { ChatCompletion, CompletionChunk, CompletionRequest, Model, ModelList } from "./Completions.ts"

export const OpenAiApi = HttpApiGroup.make("openai")
  .annotate(OpenApi.Title, "OpenAI clients")
  .annotate(OpenApi.Description, "Chat for OpenAI clients. The answers use only records that the key may read.")
  .add(
    read("openai.complete", {
      method: "POST",
      path: `${openAiMount}/chat/completions`,
      payload: CompletionRequest,
      success: ChatCompletion,
      frames: CompletionChunk,
      errors: [NotFound, NoProvider, UpstreamFailed, UpstreamTimedOut],
      door: everyKind("chat.stream", retrievedSubjects, { isRowBounded: true }),
      summary:
        "Answer the last message of a conversation, using only records that the key may read. The answer comes as a whole or in chunks."
    })
  )
  .add(
    read("openai.models", {
      path: `${openAiMount}/models`,
      success: ModelList,
      door: self("chat.stream"),
      summary: "List the names of the models that a completion can use."
    })
  )
  .add(
    read("openai.model", {
      path: `${openAiMount}/models/:name`,
      params: Schema.Struct({ name: described("Name of the model; write `/` as `%2F`.", Schema.String) }),
      success: Model,
      errors: [NotFound],
      door: self("chat.stream"),
      summary: "Read one model by its name."
    })
  )
