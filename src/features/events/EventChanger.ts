/** What it is to log an event by hand: carried out where nobody said otherwise, and never taken back. */
import { Effect, Schema } from "effect"
import { Forbidden, invalid } from "../../doors/Failure.ts"
import { strictly } from "../../doors/Faults.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { writerOf } from "../gate/Changers.ts"
import { contentOver, objectIn } from "../gate/Write.ts"
import { type Event, eventContent, type EventSource } from "./Event.ts"
import { EventLog } from "./EventLog.ts"
import { maySaySource } from "./OwnEvents.ts"

const contentOf = strictly(Schema.Struct(eventContent))

const sourceForbidden = (source: EventSource) =>
  new Forbidden({
    code: "SOURCE_FORBIDDEN",
    why:
      `Only who manages the space logs events of the source ${source}: ` +
      "signed in, or with a key of their own without limits.",
    required: ["*"],
    granted: []
  })

/** Registers who answers for them, and answers how one is logged. */
export const loggedByHand = Effect.gen(function* () {
  const log = yield* EventLog
  return yield* writerOf<Event>("event", {
    // What happened happened: an agent tells of it, unless its person asked to see that first.
    traits: { subject: "event", isDirect: true, actions: ["create"] },
    current: () => Effect.succeed(null),
    describe: (asked) =>
      Effect.gen(function* () {
        if (asked.action !== "create") return yield* invalid("proposalType", "Events are only ever logged.")
        const { personId } = (yield* Reach).principal
        const content = contentOver(asked, null)
        const { type } = yield* contentOf(content)
        const object = objectIn(personId, asked.spaceId, null)
        return { object, content, base: null, summary: `Log the event “${type}”` }
      }),
    // The log is listed by the ids of its events: one gets its id when it is logged.
    check: ({ content, object }, moment) =>
      Effect.gen(function* () {
        const { source } = yield* contentOf(content)
        const { principal } = yield* Reach
        if (moment !== "approved" && !maySaySource(principal, object.spaceId, source)) {
          return yield* sourceForbidden(source)
        }
        return { content, ...(moment === "approved" ? { made: [uuidv7()] } : {}) }
      }),
    apply: ({ content, made, object }, passed) =>
      Effect.flatMap(contentOf(content), (said) => log.append(object.spaceId, { id: made?.[0], ...said }, passed)),
    irreversible: "What is in the log stays there."
  })
})
