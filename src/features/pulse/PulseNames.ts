/** Finds the names of the objects and actors of events. Finds only names that the caller may read. */
import { Context, Effect, Layer, Schema } from "effect"
import { Reach } from "../../doors/Reach.ts"
import type { Event } from "../events/Event.ts"
import { GraphKind } from "../graph/GraphNode.ts"
import { GraphNodes } from "../graph/GraphNodes.ts"
import { People } from "../people/People.ts"
import { Proposals } from "../proposals/Proposals.ts"
import type { KnownNames } from "./EventWords.ts"

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
        const subjectsOf = (kind: GraphKind) =>
          events.flatMap(({ subjectId, subjectType }) =>
            subjectType === kind && subjectId !== undefined ? [subjectId] : []
          )
        const kinds = new Set(events.flatMap(({ subjectType }) => (isGraphKind(subjectType) ? [subjectType] : [])))
        const found = yield* Effect.forEach(kinds, (kind) => nodes.findAll(kind, [...new Set(subjectsOf(kind))]))
        const named = found.flatMap((all) => [...all.values()])
        return new Map(named.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
      })

      const waiting = (events: ReadonlyArray<Event>) => {
        const ids = events.flatMap(({ subjectId, subjectType }) =>
          subjectType === "proposal" && subjectId !== undefined ? [subjectId] : []
        )
        if (ids.length === 0) return Effect.succeed(new Set<string>())
        // The call fails only if it names a workspace that the caller cannot reach. This call names no workspace, so it
        // cannot fail.
        const found = Effect.orDie(proposals.page({ ids, status: "pending", limit: ids.length, offset: 0 }))
        return Effect.map(found, ({ items }) => new Set(items.map(({ id }) => id)))
      }

      return {
        of: (events) =>
          events.length === 0
            ? Effect.succeed({ subjects: new Map(), actors: new Map(), waiting: new Set() })
            : Effect.all({ subjects: subjects(events), actors, waiting: waiting(events) })
      }
    })
  )
}
