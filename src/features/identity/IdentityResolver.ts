/**
 * Finds duplicates: existing entities that a new entity would repeat. Agents can ask for duplicates. The pod itself
 * looks for duplicates before it creates a person or a company.
 */
import { Context, Effect, Layer } from "effect"
import { Conflict, type Forbidden, type Invalid, invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import { IdentityLookup } from "./IdentityLookup.ts"
import {
  type IdentityMatch,
  isPlaceholderTitle,
  type MatchedCandidate,
  matchIdentity,
  sameNameKey,
  signalsOf
} from "./ResolveIdentity.ts"

type Fields = Readonly<Record<string, unknown>>

/**
 * The kinds of which two entities with the same name are usually duplicates. When a caller creates an entity of such a
 * kind, the pod looks for duplicates unless `forceCreate` is true.
 */
const alwaysCompared: ReadonlySet<string> = new Set(["person", "company"])

export interface IdentityRequest {
  readonly kindSlug?: string | undefined
  readonly title?: string | undefined
  readonly signals?: Fields | undefined
  readonly properties?: Fields | undefined
  readonly workspaceId?: string | undefined
}

/** The fields of a new entity that decide whether the entity is a duplicate. */
export interface DuplicateQuery {
  readonly kind: string
  readonly spaceId: string
  readonly title: string
  readonly properties: Fields
  readonly forceCreate: boolean | undefined
}

const isCompared = ({ forceCreate, kind }: DuplicateQuery): boolean =>
  forceCreate === undefined ? alwaysCompared.has(kind) : !forceCreate

const duplicateConflict = (
  { kind, title }: DuplicateQuery,
  candidates: ReadonlyArray<MatchedCandidate>,
  match: IdentityMatch["match"]
) =>
  new Conflict({
    code: "SAME_NAME",
    why:
      match === "weak"
        ? `An entity of the kind ${kind} with the title “${title}” already exists. Change that entity, or set \`forceCreate\` to true to create another one.`
        : `An entity of the kind ${kind} with the same addresses or handles already exists. Change that entity, or set \`forceCreate\` to true to create another one.`,
    details: { candidates }
  })

export class IdentityResolver extends Context.Tag("pod/IdentityResolver")<
  IdentityResolver,
  {
    /**
     * Finds the entity that the request means, among the entities that the caller may read, in all spaces or in one
     * workspace.
     */
    readonly resolve: (question: IdentityRequest) => Effect.Effect<IdentityMatch, Forbidden, Reach>
    /**
     * Looks for an existing duplicate of the entity that a caller wants to create. Compares the new entity only with
     * entities of the same kind, in the same space, that the caller may read.
     * - Same address or handle: returns the existing entity. The caller then changes that entity and creates none.
     * - Only the same name, or several equally good matches: fails with Conflict.
     * - A placeholder title: fails with Invalid.
     * - No duplicate: returns null.
     * If `forceCreate` is absent, the pod looks for duplicates of people and companies. If it is false, the pod looks
     * for duplicates of every kind. If it is true, the pod looks for no duplicates.
     */
    readonly findDuplicate: (
      newEntity: DuplicateQuery
    ) => Effect.Effect<MatchedCandidate | null, Conflict | Invalid, Reach>
    /**
     * Looks for duplicates when a person approves the create of an entity. An approved create must not become a change
     * of another entity, so any match is a Conflict. Until the transaction of the approval ends, no other entity of
     * this kind is created in the space.
     */
    readonly refuseDuplicate: (newEntity: DuplicateQuery) => Effect.Effect<void, Conflict | Invalid, Reach>
    /**
     * If the entity has no duplicate now, runs `work`, which creates the entity. Otherwise fails with Conflict. In one
     * space, the pod creates entities of one kind one after another. If two creates ran at the same time, neither would
     * see the entity of the other create.
     */
    readonly ifAlone: <A, E>(
      newEntity: DuplicateQuery,
      work: Effect.Effect<A, E, Reach>
    ) => Effect.Effect<A, E | Conflict | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* IdentityLookup
      const profiles = yield* Profiles
      const { exclusively } = yield* Transaction

      const compare = Effect.fnUntraced(function* (newEntity: DuplicateQuery) {
        const { kind, properties, spaceId, title } = newEntity
        if (isPlaceholderTitle(title, kind)) {
          const why =
            "This title looks like a placeholder. Send the real name. If this is the real name, set `forceCreate` to `true`."
          return yield* invalid("title", why)
        }
        const signals = signalsOf(properties)
        const query = { nameKey: sameNameKey(title), kinds: [kind], signals, spaces: [spaceId] }
        const found = (yield* store.findMatching(query)).filter(({ profileSlug }) => profileSlug === kind)
        return matchIdentity({ kindSlug: kind, title, signals }, found)
      })

      const refuseMatch = (newEntity: DuplicateQuery) =>
        Effect.flatMap(compare(newEntity), (matched) =>
          matched.match === "none" ? Effect.void : duplicateConflict(newEntity, matched.candidates, matched.match)
        )

      /**
       * Creates an entity while nobody else creates an entity of this kind in the space. The next create begins when
       * the transaction of this create has ended.
       */
      const oneByOne = <A, E>({ kind, spaceId }: DuplicateQuery, work: Effect.Effect<A, E, Reach>) =>
        exclusively(`creates of ${kind} in ${spaceId}`, work)

      const findCompared = Effect.fnUntraced(function* (newEntity: DuplicateQuery) {
        const matched = yield* compare(newEntity)
        if (matched.match === "none") return null
        const one = matched.candidates.find(({ entityId }) => entityId === matched.entityId)
        if (matched.match === "strong" && one !== undefined) return one
        return yield* duplicateConflict(newEntity, matched.candidates, matched.match)
      })

      return {
        resolve: Effect.fnUntraced(function* ({ kindSlug, properties = {}, signals = {}, title = "", workspaceId }) {
          const spaces = yield* requestedSpaces(workspaceId)
          const requestedSignals = [...signalsOf(properties), ...signalsOf(signals)]
          const kinds = kindSlug === undefined ? [...(yield* profiles.kinds)] : [kindSlug]
          const found = yield* store.findMatching({
            nameKey: sameNameKey(title),
            kinds,
            signals: requestedSignals,
            spaces
          })
          return matchIdentity({ kindSlug, title, signals: requestedSignals }, found)
        }),
        findDuplicate: (newEntity) => (isCompared(newEntity) ? findCompared(newEntity) : Effect.succeed(null)),
        // An approval locks the event log of the space before it writes the entity, and a create locks the event log
        // last. So the approval waits for other creates here, before it locks the event log. Otherwise an approval and
        // a create could wait for each other.
        refuseDuplicate: (newEntity) =>
          isCompared(newEntity) ? oneByOne(newEntity, refuseMatch(newEntity)) : Effect.void,
        ifAlone: (newEntity, work) =>
          isCompared(newEntity) ? oneByOne(newEntity, Effect.zipRight(refuseMatch(newEntity), work)) : work
      }
    })
  )
}
