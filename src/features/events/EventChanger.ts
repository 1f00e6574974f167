/**
 * Checks and logs the events that callers send. The pod logs an event without approval, unless a governance rule
 * requires approval. It never reverts a logged event.
 */
import { Effect, Schema } from "effect"
import { Forbidden, invalid } from "../../doors/Failure.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { writerOf } from "../gate/Changers.ts"
import { requestedContent, objectIn } from "../gate/Write.ts"
import { type Event, eventContent, type EventSource } from "./Event.ts"
import { EventLog } from "./EventLog.ts"
import { mayUseMetadata, mayUseSource } from "./ReservedEvents.ts"

const contentOf = strictDecoder(Schema.Struct(eventContent))

const sourceForbidden = (source: EventSource) =>
  new Forbidden({
    code: "SOURCE_FORBIDDEN",
    why:
      `Only an owner or admin of the space may log events with the source ${source}, ` +
      "with a sign-in session or a personal key that has the grant `*`.",
    required: ["*"],
    granted: []
  })

const metadataForbidden = new Forbidden({
  code: "SOURCE_FORBIDDEN",
  why:
    "Only an owner or admin of the space, signed in or with a personal key that has the grant `*`, may log events whose metadata " +
    "says that a rule of the pod or another agent acted. Use another `kind`.",
  required: ["*"],
  granted: []
})

/** Registers how the gate checks and logs an event, and returns the function that logs an event. */
export const eventWriter = Effect.gen(function* () {
  const log = yield* EventLog
  return yield* writerOf<Event>("event", {
    // An event only reports what happened. So an agent needs no approval to log an event, unless the person of the
    // agent requires it.
    traits: { subject: "event", isDirect: true, actions: ["create"] },
    current: () => Effect.succeed(null),
    describe: Effect.fnUntraced(function* (request) {
      if (request.action !== "create")
        return yield* invalid("proposalType", "An event can be created, but not changed or deleted.")
      const { personId } = (yield* Reach).principal
      const content = requestedContent(request, null)
      const { type } = yield* contentOf(content)
      const object = objectIn(personId, request.spaceId, null)
      return { object, content, base: null, summary: `Log the event “${type}”` }
    }),
    // The log is sorted by the ids of its events. So an event gets its id only when the pod logs it.
    check: Effect.fnUntraced(function* ({ content, object }, moment) {
      const { metadata, source } = yield* contentOf(content)
      if (moment === "approved") return { content, createdIds: [uuidv7()] }
      const { principal } = yield* Reach
      if (!mayUseSource(principal, object.spaceId, source)) return yield* sourceForbidden(source)
      if (!mayUseMetadata(principal, object.spaceId, metadata)) return yield* metadataForbidden
      return { content }
    }),
    apply: ({ content, createdIds, object }, passed) =>
      Effect.flatMap(contentOf(content), (fields) =>
        log.append(object.spaceId, { id: createdIds?.[0], ...fields }, passed)
      ),
    irreversible: "Events stay in the log and cannot be removed."
  })
})
