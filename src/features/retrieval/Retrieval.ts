/**
 * Retrieval sends a question to the substrates that can answer it, and combines the results into one answer. A
 * substrate is a group of records, such as memory facts.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Entities } from "../entities/Entities.ts"
import { actorOf } from "../events/AppendEvent.ts"
import { Memory } from "../memory/Memory.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { Search, type SearchRequest } from "../search/Search.ts"
import { textOfEntity } from "../search/Source.ts"
import type { SearchedType } from "../search/postings/IndexedObject.ts"
import { hasFilters, questionOf } from "../search/text/Question.ts"
import { comparisonOf } from "./Comparison.ts"
import { degradableWithin, type Part, PartTimeout } from "./Degradable.ts"
import { itemOfFact, itemOfFound, itemOfListed } from "./Items.ts"
import { PendingMatches } from "./PendingMatches.ts"
import type { EntityQuestion, EntityRecall, RetrievalRequest } from "./RetrievalRequest.ts"
import type { RecalledEntities, RetrievedEntities, RetrievalResult, RetrievedItem } from "./RetrievalResult.ts"
import { routeOf, type Substrate } from "./Routing.ts"
import { type RetrievalQuery, understandingOf } from "./RetrievalQuery.ts"
import { AskedPlaces } from "./AskedPlaces.ts"
import { type Block, emptyBlock, finalVerdict, sortAnswers, noticeOf, primaryOf } from "./Blocks.ts"

const limitDefault = 10
// If a question is limited to more projects than this number, the pod lists the entities of only this many projects.
const projectsMax = 10
// The maximum number of entities that the pod reads. The status and the filters then select some of these entities.
const listedMax = 500

/**
 * An answer of retrieval, with the whole texts of its items. A language model needs the whole texts, because a snippet
 * is too short for an answer.
 */
export interface ResultWithTexts {
  readonly result: RetrievalResult
  /** The whole texts, by the id of the item. */
  readonly texts: ReadonlyMap<string, string>
}

export class Retrieval extends Context.Tag("pod/Retrieval")<
  Retrieval,
  {
    /**
     * Answers a question. If the search of a substrate fails, `degraded` names this substrate, and the answer has only
     * the items of the other substrates. If the caller is not a member of the named workspace, the pod ignores the
     * name. But if a key is limited to some workspaces, the call fails with Forbidden for any other workspace.
     */
    readonly search: (request: RetrievalRequest) => Effect.Effect<RetrievalResult, Forbidden, Reach>
    /**
     * Runs a search and returns the entities that it found, best first. Leaves out an entity that somebody removed
     * after the search found it.
     */
    readonly entities: (request: EntityQuestion) => Effect.Effect<RetrievedEntities, Forbidden, Reach>
    /**
     * Returns the same entities as `entities`, without the details of the search. If the request names a kind, finds
     * only entities of this kind.
     */
    readonly recall: (request: EntityRecall) => Effect.Effect<RecalledEntities, Forbidden, Reach>
    /**
     * Returns the same as `search`, and also the whole texts of the items. A model needs these texts to write an
     * answer.
     */
    readonly gather: (request: RetrievalRequest) => Effect.Effect<ResultWithTexts, Forbidden, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* Entities
      const profiles = yield* Profiles
      const memory = yield* Memory
      const search = yield* Search
      const places = yield* AskedPlaces
      const pending = yield* PendingMatches
      const degradable = degradableWithin(yield* PartTimeout)

      const searchIn = Effect.fnUntraced(function* (
        query: RetrievalQuery,
        types: ReadonlyArray<SearchedType>,
        spaces: ReadonlyArray<string> | null
      ) {
        const { personId } = (yield* Reach).principal
        const { limit, projects, question, without } = query
        const request: SearchRequest = { question, types, spaces, projects, without, limit }
        const { corrected, isIncomplete, isWithoutVectors, items, verdict } = yield* search.find(request)
        return {
          verdict,
          corrected,
          isWithoutVectors,
          isIncomplete,
          items: items.map((found) => itemOfFound(found, personId)),
          texts: items.map(({ id, passage }) => [id, passage] as const)
        }
      })

      /**
       * Lists the newest entities of the kind that the question names. If the question also names a status, lists only
       * entities with this status.
       */
      const listed = Effect.fnUntraced(function* ({
        limit,
        projects,
        question,
        route: { profileTypes, status },
        spaces,
        without
      }: RetrievalQuery) {
        const [kind] = profileTypes
        if (kind === undefined) return emptyBlock
        const isNarrowed = hasFilters(question)
        const isKept = isNarrowed
          ? yield* search.keeps({ question, types: ["entity"], spaces, projects, without, limit })
          : () => true
        const { personId } = (yield* Reach).principal
        // An empty list means that no project has the name in the question. The result then contains no entity.
        const pages = yield* Effect.forEach(projects?.slice(0, projectsMax) ?? [undefined], (projectId) =>
          entities.list({
            profileSlug: kind,
            ...(projectId === undefined ? {} : { projectId }),
            ...(spaces?.length === 1 ? { workspaceId: spaces[0] } : {}),
            scope: "all",
            includePodWide: spaces === null,
            limit: status === undefined && !isNarrowed ? limit : listedMax,
            offset: 0
          })
        )
        const found = new Map(pages.flatMap(({ items }) => items.map((entity) => [entity.id, entity] as const)))
        const shown = [...found.values()]
          .toSorted((one, other) => other.updatedAt.epochMillis - one.updatedAt.epochMillis)
          .filter(({ workspaceId }) => spaces === null || spaces.includes(workspaceId ?? personId))
          .filter(({ properties }) => status === undefined || properties["status"] === status)
          .filter(({ id }) => isKept(id))
          .slice(0, limit)
        return {
          ...emptyBlock,
          items: shown.map((entity, at) => itemOfListed(entity, at, status)),
          texts: shown.map((entity) => [entity.id, textOfEntity(entity)] as const)
        }
      })

      const blocks: Readonly<Record<Substrate, (query: RetrievalQuery) => Effect.Effect<Part<Block>, never, Reach>>> = {
        semantic: (query) =>
          degradable("semantic", emptyBlock, searchIn(query, semanticTypes, query.spaces), ({ _tag }) =>
            _tag === "IndexLoading" ? "semantic:index-loading" : "semantic"
          ),
        structured: (query) => degradable("structured", emptyBlock, listed(query)),
        procedural: (query) =>
          Effect.flatMap(Reach, ({ principal: { personId } }) =>
            degradable("procedural", emptyBlock, searchIn(query, ["knowledge"], query.spaces ?? [personId]))
          ),
        episodic: ({ limit, question }) =>
          degradable(
            "episodic",
            emptyBlock,
            Effect.map(memory.recall({ query: question.text, limit }), (facts) => ({
              ...emptyBlock,
              items: facts.map((fact) => itemOfFact(fact, question.text))
            }))
          )
      }

      /**
       * Reads the kinds that a question can name: the kinds that the caller may read. If a grant names records or
       * projects, these are only the kinds of the entities that it opens. Otherwise the answer would tell which further
       * kinds exist.
       */
      const knownKinds = Effect.gen(function* () {
        const { kinds, objects, projects, spaces } = (yield* Reach).bounds("entity", "read")
        if (spaces.length === 0) return []
        if (objects !== null || projects !== null) {
          return [...new Set((yield* entities.countByKind({ spaces: null })).map(({ kind }) => kind))]
        }
        const all = yield* profiles.kindsIn(spaces)
        return kinds === null ? all : kinds.filter((kind) => all.has(kind))
      })

      const understood = Effect.fnUntraced(function* (request: RetrievalRequest) {
        const question = questionOf(request.query, actorOf(yield* Reach))
        const route = routeOf(question.text, yield* knownKinds)
        const narrowing = yield* places.narrowing(request, question.filters)
        return { ...narrowing, question, route, limit: request.limit ?? limitDefault }
      })

      /** Compares the ranking by words and vectors with a ranking by words only. */
      const compared = (query: RetrievalQuery, horizon: ReadonlyArray<RetrievedItem>) => {
        const { limit, projects, question, spaces, without } = query
        const types = semanticTypes
        const plain = search.find({ question, types, spaces, projects, without, limit, byWordsAlone: true })
        return Effect.map(plain, ({ items }) => comparisonOf(items, horizon))
      }

      const gather = (request: RetrievalRequest): Effect.Effect<ResultWithTexts, Forbidden, Reach> =>
        Effect.gen(function* () {
          const query = yield* understood(request)
          const { question, route } = query
          const head = { query: request.query, routedTo: route.routedTo, intent: route.intent }
          if (request.parseOnly === true) {
            const understanding = understandingOf(query, [])
            const nothing = { answers: [], degraded: [], understanding, verdict: "empty" as const }
            return { result: { ...head, primary: route.intent, ...nothing }, texts: new Map() }
          }
          const answered = yield* Effect.forEach(
            route.routedTo,
            (substrate) => Effect.map(blocks[substrate](query), (part) => ({ substrate, ...part })),
            { concurrency: "unbounded" }
          )
          const primary = primaryOf(route, answered)
          const semantic = answered.find(({ substrate }) => substrate === "semantic")?.value ?? emptyBlock
          const further = yield* Effect.all(
            {
              matches: degradable("pending", [], pending.matching(question, query)),
              spaces: degradable("spaces", null, places.elsewhere(query, question)),
              comparison:
                request.compare === true
                  ? degradable("comparison", undefined, compared(query, semantic.items))
                  : Effect.succeed({ value: undefined, degraded: [] })
            },
            { concurrency: "unbounded" }
          )
          const { comparison, matches, spaces } = further
          const result = {
            ...head,
            primary,
            answers: sortAnswers(primary, answered),
            degraded: [
              ...(semantic.isWithoutVectors ? ["semantic:vector-down"] : []),
              ...[...answered, comparison, matches, spaces].flatMap(({ degraded }) => degraded),
              ...answered.flatMap(({ substrate, value }) => (value.isIncomplete ? [`${substrate}:index-full`] : []))
            ],
            understanding: understandingOf(
              query,
              answered.flatMap(({ value }) => value.corrected)
            ),
            verdict: finalVerdict(route, semantic),
            spaces: spaces.value,
            ...(matches.value.length === 0
              ? {}
              : { pending: { notice: noticeOf(matches.value.length), matches: matches.value } }),
            ...(comparison.value === undefined ? {} : { comparison: comparison.value })
          }
          return { result, texts: new Map(answered.flatMap(({ value }) => value.texts)) }
        })

      const foundBy = Effect.fnUntraced(function* (request: EntityQuestion) {
        const { answers, understanding, verdict } = (yield* gather(request)).result
        const ids = answers
          .filter(({ substrate }) => substrate === "semantic")
          .flatMap(({ items }) => items)
          .filter(({ type }) => type === "entity")
          .map(({ id }) => id)
        const found = yield* entities.listByIds(ids)
        return { entities: found, understanding, source: "hybrid" as const, verdict }
      })

      return {
        search: (request) => Effect.map(gather(request), ({ result }) => result),
        gather,
        entities: foundBy,
        recall: Effect.fnUntraced(function* ({ profileSlug: kind, query, ...place }) {
          const filteredQuery = kind === undefined ? query : `${query} type:${kind}`
          const { entities, source } = yield* foundBy({ query: filteredQuery, ...place })
          // A question can have a filter for a kind. The filter also finds entities of other kinds that have a role
          // with the same name. This step removes such entities.
          const ofKind = entities.filter(({ profileSlug }) => kind === undefined || profileSlug === kind)
          return { entities: ofKind, source }
        })
      }
    })
  )
}

const semanticTypes: ReadonlyArray<SearchedType> = ["entity", "document"]
