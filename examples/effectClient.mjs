/**
 * Calls the pod with Effect. A schema decodes each answer, and a refusal is a typed error. If the pod is busy, the
 * program repeats the call after the time that the pod names. A repeated write has the same idempotency key, so the pod
 * makes only one note.
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

/** Decodes an answer with its schema. */
const answered = (schema) => (response) => {
  if (response.status < 400) return HttpClientResponse.schemaBodyJson(schema)(response)
  const seconds = response.headers["retry-after"]
  return seconds === undefined
    ? Effect.flatMap(HttpClientResponse.schemaBodyJson(Refusal)(response), (refusal) => new Refused(refusal))
    : new Busy({ seconds: Number(seconds) })
}

/** Repeats a call at most five times while the pod is busy. Each time it waits for the seconds in `retry-after`. */
const patience = Schedule.identity().pipe(
  Schedule.whileInput(({ _tag }) => _tag === "Busy"),
  Schedule.addDelay(({ seconds }) => `${seconds} seconds`),
  Schedule.intersect(Schedule.recurs(5))
)

const notes = Effect.flatMap(pod, (client) =>
  client.get("/api/hub/entities", { urlParams: { profileSlug: "note", limit: "5" } })
).pipe(Effect.flatMap(answered(Schema.Array(Note))), Effect.retry(patience))

const noted = (title) => {
  const write = HttpClientRequest.post("/api/hub/entities").pipe(
    HttpClientRequest.setHeader("idempotency-key", crypto.randomUUID()),
    HttpClientRequest.bodyUnsafeJson({ profileSlug: "note", title })
  )
  return Effect.flatMap(pod, (client) => client.execute(write)).pipe(
    Effect.flatMap(answered(Note)),
    Effect.retry(patience)
  )
}

const program = Effect.gen(function* () {
  const { id } = yield* noted("Paint the fence")
  console.log(`created ${id}`)
  for (const { title } of yield* notes) console.log(`note ${title}`)
}).pipe(Effect.catchTag("Refused", ({ code, error }) => Effect.sync(() => console.log(`refused: ${code ?? error}`))))

await Effect.runPromise(Effect.provide(program, FetchHttpClient.layer))
