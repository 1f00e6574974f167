/** Finds the names of the objects and actors of events. Finds only names that the caller may read. */
import { Context, Effect, Layer, Schema } from "effect"
import { Reach } from "../../doors/Reach.ts"
import type { Event } from "../events/Event.ts"
import { GraphKind } from "../graph/GraphNode.ts"
import { GraphNodes } from "../graph/GraphNodes.ts"
import { People } from "../people/People.ts"
import { Proposals } from "../proposals/Proposals.ts"
import type { KnownNames } from "./EventWords.ts"

// the maximum number of objects whose names one answer reads, each with one statement
const namedMax = 50
// the maximum number of proposals that one answer can mark as waiting for a decision
const waitingMax = 200

const isGraphKind = Schema.is(GraphKind)

export class PulseNames extends Context.Tag("pod/PulseNames")<
  PulseNames,
  { readonly of: (events: ReadonlyArray<Event>) => Effect.Effect<KnownNames, never, Reach> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const nodes = yield* GraphNodes
      const people = yield* People
      const proposals = yield* Proposals

      const actors = Effect.gen(function* () {
        const { id, name } = yield* people.me
        const agents = yield* people.agents
        return new Map([[id, name], ...agents.map((agent) => [agent.id, agent.name] as const)])
      })

      const subjects = Effect.fnUntraced(function* (events: ReadonlyArray<Event>) {
        const kinds = new Map(
          events.flatMap(({ subjectId, subjectType }) =>
            subjectId !== undefined && isGraphKind(subjectType) ? [[subjectId, subjectType] as const] : []
          )
        )
        const found = yield* Effect.forEach([...kinds].slice(0, namedMax), ([id, kind]) => nodes.find(kind, id))
        return new Map(found.flatMap((node) => (node === null || node.name === null ? [] : [[node.id, node.name]])))
      })

      const waiting = (events: ReadonlyArray<Event>) =>
        events.every(({ subjectType }) => subjectType !== "proposal")
          ? Effect.succeed(new Set<string>())
          : proposals.list({ status: "pending", view: "basic", limit: waitingMax, offset: 0 }).pipe(
              Effect.map(({ items }) => new Set(items.map(({ id }) => id))),
              Effect.orElseSucceed(() => new Set<string>())
            )

      return {
        of: (events) =>
          events.length === 0
            ? Effect.succeed({ subjects: new Map(), actors: new Map(), waiting: new Set() })
            : Effect.all({ subjects: subjects(events), actors, waiting: waiting(events) })
      }
    })
  )
}
