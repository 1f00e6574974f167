/** Whether an entity is there already: asked by agents, and by every create of a person or a company. */
import { Context, Effect, Layer } from "effect"
import { Conflict, type Forbidden, type Invalid, invalid } from "../../../doors/Failure.ts"
import { Reach } from "../../../doors/Reach.ts"
import { Profiles } from "../../profiles/Profiles.ts"
import { spaceNamed } from "../../workspaces/WorkspaceAccess.ts"
import { NamesakeStore } from "./NamesakeStore.ts"
import {
  type IdentityMatch,
  isPlaceholderTitle,
  type MatchedCandidate,
  matchIdentity,
  sameNameKey,
  signalsOf
} from "./ResolveIdentity.ts"

type Fields = Readonly<Record<string, unknown>>

/** Kinds of which one of each name is the rule. */
const alwaysCompared: ReadonlySet<string> = new Set(["person", "company"])

export interface IdentityQuestion {
  readonly kindSlug?: string | undefined
  readonly title?: string | undefined
  readonly signals?: Fields | undefined
  readonly properties?: Fields | undefined
  readonly workspaceId?: string | undefined
}

/** A new entity, as far as it is compared. */
export interface Newcomer {
  readonly kind: string
  readonly spaceId: string
  readonly title: string
  readonly properties: Fields
  readonly forceCreate: boolean | undefined
}

const isThereAlready = (
  { kind, title }: Newcomer,
  candidates: ReadonlyArray<MatchedCandidate>,
  match: IdentityMatch["match"]
) =>
  new Conflict({
    code: "SAME_NAME",
    why:
      match === "weak"
        ? `There is a ${kind} called “${title}” already. Change that one, or say forceCreate for another of the name.`
        : `There is a ${kind} with the same addresses or handles already. Change that one, or say forceCreate.`,
    details: { candidates }
  })

export class Namesakes extends Context.Tag("pod/Namesakes")<
  Namesakes,
  {
    /** Who is meant among what the caller reads, everywhere or in one workspace. Nothing else is told of. */
    readonly resolve: (question: IdentityQuestion) => Effect.Effect<IdentityMatch, Forbidden, Reach>
    /**
     * The one entity of the same kind and space with the same address or handle, to be changed instead; null where
     * nothing is in the way. People and companies are always compared, other kinds where `forceCreate` is false, and
     * nothing where it is true. Fails with Conflict for the same name, or when several are meant alike; with Invalid
     * for a title that names nobody. Only what the caller reads is ever in the way.
     */
    readonly met: (newcomer: Newcomer) => Effect.Effect<MatchedCandidate | null, Conflict | Invalid, Reach>
    /** The same at an approval, where nothing takes the place of what was approved: any match is a Conflict. */
    readonly unmet: (newcomer: Newcomer) => Effect.Effect<void, Conflict | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* NamesakeStore
      const profiles = yield* Profiles

      const compared = (newcomer: Newcomer) =>
        Effect.gen(function* () {
          const { forceCreate, kind, properties, spaceId, title } = newcomer
          if (forceCreate === true || (forceCreate === undefined && !alwaysCompared.has(kind))) return null
          if (isPlaceholderTitle(title, kind)) {
            const why = "Nobody is called that. Give the name, or say forceCreate if it is one."
            return yield* invalid("title", why)
          }
          const signals = signalsOf(properties)
          const query = { nameKey: sameNameKey(title), kinds: [kind], signals, spaces: [spaceId] }
          const found = (yield* store.alike(query)).filter(({ profileSlug }) => profileSlug === kind)
          return matchIdentity({ kindSlug: kind, title, signals }, found)
        })

      return {
        resolve: ({ kindSlug, properties = {}, signals = {}, title = "", workspaceId }) =>
          Effect.gen(function* () {
            const spaces = workspaceId === undefined ? null : [yield* spaceNamed(workspaceId)]
            const asked = [...signalsOf(properties), ...signalsOf(signals)]
            const kinds = kindSlug === undefined ? [...(yield* profiles.kinds)] : [kindSlug]
            const found = yield* store.alike({ nameKey: sameNameKey(title), kinds, signals: asked, spaces })
            return matchIdentity({ kindSlug, title, signals: asked }, found)
          }),
        met: (newcomer) =>
          Effect.gen(function* () {
            const matched = yield* compared(newcomer)
            if (matched === null || matched.match === "none") return null
            const one = matched.candidates.find(({ entityId }) => entityId === matched.entityId)
            if (matched.match === "strong" && one !== undefined) return one
            return yield* isThereAlready(newcomer, matched.candidates, matched.match)
          }),
        unmet: (newcomer) =>
          Effect.flatMap(compared(newcomer), (matched) =>
            matched === null || matched.match === "none"
              ? Effect.void
              : isThereAlready(newcomer, matched.candidates, matched.match)
          )
      }
    })
  )
}
