/**
 * Calls the pod with Effect: answers are decoded by a schema, refusals are typed errors, and a list is requested again
 * after two seconds if the pod is busy.
 */
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Data, Effect, Schedule, Schema } from "effect"

class Refused extends Data.TaggedError("Refused") {}
class Busy extends Data.TaggedError("Busy") {}

const Note = Schema.Struct({ id: Schema.UUID, title: Schema.NullOr(Schema.String) })
const Refusal = Schema.Struct({ error: Schema.String, code: Schema.optional(Schema.String) })

const pod = Effect.map(HttpClient.HttpClient, (client) =>
  client.pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(process.env.POD_URL ?? "http://localhost:8787")),
    HttpClient.mapRequest(HttpClientRequest.bearerToken(process.env.POD_API_KEY ?? ""))
  )
)

/** Decodes an answer by its schema. */
const answered = (schema) => (response) => {
  if (response.status < 400) return HttpClientResponse.schemaBodyJson(schema)(response)
  const seconds = response.headers["retry-after"]
  return seconds === undefined
    ? Effect.flatMap(HttpClientResponse.schemaBodyJson(Refusal)(response), (refusal) => new Refused(refusal))
    : new Busy({ seconds: Number(seconds) })
}

const patience = Schedule.recurs(5).pipe(
  Schedule.whileInput(({ _tag }) => _tag === "Busy"),
  Schedule.addDelay(() => "2 seconds")
)

const notes = Effect.flatMap(pod, (client) =>
  client.get("/api/hub/entities", { urlParams: { profileSlug: "note", limit: "5" } })
).pipe(Effect.flatMap(answered(Schema.Array(Note))), Effect.retry(patience))

const noted = (title) =>
  Effect.flatMap(pod, (client) =>
    HttpClientRequest.post("/api/hub/entities").pipe(
      HttpClientRequest.bodyUnsafeJson({ profileSlug: "note", title }),
      client.execute
    )
  ).pipe(Effect.flatMap(answered(Note)))

const program = Effect.gen(function* () {
  const { id } = yield* noted("Paint the fence")
  console.log(`created ${id}`)
  for (const { title } of yield* notes) console.log(`note ${title}`)
}).pipe(Effect.catchTag("Refused", ({ code, error }) => Effect.sync(() => console.log(`refused: ${code ?? error}`))))

await Effect.runPromise(Effect.provide(program, FetchHttpClient.layer))
