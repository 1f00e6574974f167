/** The pod put together: the only file that says which adapter backs which service. */
import { Effect, Layer, type Redacted } from "effect"
import { Catalog } from "./doors/Catalog.ts"
import { Dispatch } from "./doors/Dispatch.ts"
import { Implementations } from "./doors/Implement.ts"
import { compileProcedures, compileRest, compileTools } from "./doors/Operation.ts"
import { RateLimit } from "./doors/RateLimit.ts"
import { Revocations } from "./doors/Revocations.ts"
import * as Access from "./features/access/Access.ts"
import * as EntityHandlers from "./features/entities/EntityHandlers.ts"
import { Entities } from "./features/entities/Entities.ts"
import { EntityWrites } from "./features/entities/EntityWrites.ts"
import * as EntitySql from "./features/entities/EntitySql.ts"
import * as EventHandlers from "./features/events/EventHandlers.ts"
import * as EventSql from "./features/events/EventSql.ts"
import { Changers } from "./features/governance/Changers.ts"
import { GovernanceGate } from "./features/governance/GovernanceGate.ts"
import { GrantMatcher } from "./features/grants/GrantMatcher.ts"
import * as KeyHandlers from "./features/keys/KeyHandlers.ts"
import { Keys, KeySettings } from "./features/keys/Keys.ts"
import * as KeySql from "./features/keys/KeySql.ts"
import { Knowledge } from "./features/knowledge/Knowledge.ts"
import * as KnowledgeHandlers from "./features/knowledge/KnowledgeHandlers.ts"
import * as KnowledgeSql from "./features/knowledge/KnowledgeSql.ts"
import { People } from "./features/people/People.ts"
import * as PeopleHandlers from "./features/people/PeopleHandlers.ts"
import * as PeopleSql from "./features/people/PeopleSql.ts"
import * as SignInHandlers from "./features/people/SignInHandlers.ts"
import * as PolicySql from "./features/policies/PolicySql.ts"
import { layerAgentPolicies } from "./features/policies/PolicyStore.ts"
import * as ProfileSql from "./features/profiles/ProfileSql.ts"
import * as Filing from "./features/proposals/Filing.ts"
import * as ProposalHandlers from "./features/proposals/ProposalHandlers.ts"
import { Proposals } from "./features/proposals/Proposals.ts"
import * as ProposalSql from "./features/proposals/ProposalSql.ts"
import { Settlement } from "./features/proposals/Settlement.ts"
import { Standing } from "./features/proposals/Standing.ts"
import * as RecordsSql from "./features/records/RecordsSql.ts"
import * as IdempotencySql from "./features/system/IdempotencySql.ts"
import { Readiness } from "./features/system/Readiness.ts"
import * as SweepSql from "./features/system/SweepSql.ts"
import * as SystemHandlers from "./features/system/SystemHandlers.ts"
import * as TrackHandlers from "./features/tracks/TrackHandlers.ts"
import { Workspaces } from "./features/workspaces/Workspaces.ts"
import * as WorkspaceHandlers from "./features/workspaces/WorkspaceHandlers.ts"
import * as WorkspaceSql from "./features/workspaces/WorkspaceSql.ts"
import { HubApi } from "./HubApi.ts"
import { layerBetterAuth } from "./platform/BetterAuth.ts"
import { Database } from "./platform/Database.ts"
import { Transaction } from "./platform/Transaction.ts"
import { Procedures } from "./Procedures.ts"
import { Tools } from "./Tools.ts"

export interface PodOptions {
  readonly pepper: Redacted.Redacted
  readonly sessionSecret: Redacted.Redacted
  readonly sessionSeconds: number
  readonly isProduction: boolean
  readonly baseUrl: string
  /** Calls a credential and minute. */
  readonly rateLimitPerMinute: number
}

const stores = Layer.mergeAll(
  EventSql.layer,
  EntitySql.layer,
  KeySql.layer,
  KnowledgeSql.layer,
  PeopleSql.layer,
  PolicySql.layer,
  ProfileSql.layer,
  ProposalSql.layer,
  RecordsSql.layer,
  Transaction.layerSql,
  WorkspaceSql.layer,
  IdempotencySql.layer
)

/** The gate, and everything it asks. */
const governance = GovernanceGate.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(GrantMatcher.layer, Changers.layer, layerAgentPolicies, Filing.layer))
)

const rules = Layer.mergeAll(
  Entities.layer.pipe(Layer.provideMerge(EntityWrites.layer)),
  Knowledge.layer,
  Workspaces.layer,
  Layer.mergeAll(Proposals.layer, Settlement.layer).pipe(
    Layer.provideMerge(Standing.layer),
    Layer.provideMerge(Keys.layer),
    Layer.provideMerge(People.layer)
  )
).pipe(Layer.provideMerge(governance))

const handlers = Layer.mergeAll(
  EntityHandlers.layer,
  EventHandlers.layer,
  KeyHandlers.layer,
  KnowledgeHandlers.layer,
  PeopleHandlers.layer,
  ProposalHandlers.layer,
  SignInHandlers.layer,
  SystemHandlers.layer,
  TrackHandlers.layer,
  WorkspaceHandlers.layer
)

/** Compiles every declaration with its handler. One without a door or a handler stops the start, named. */
const compiled = Layer.effectDiscard(
  Effect.gen(function* () {
    const bound = yield* Implementations
    const catalog = yield* Catalog
    yield* catalog.complete({
      rest: compileRest(HubApi, bound),
      procedures: compileProcedures(Procedures, bound),
      tools: compileTools(Tools, bound)
    })
  })
)

/**
 * Everything behind the surfaces over given stores: the dispatcher, the catalog of operations, readiness, people.
 * The pod itself and the pod in memory differ in the stores alone.
 */
export const over = <R, E, RIn>(adapters: Layer.Layer<R, E, RIn>, options: PodOptions) =>
  compiled.pipe(
    Layer.provideMerge(handlers),
    Layer.provideMerge(Dispatch.layer.pipe(Layer.provideMerge(Access.layer))),
    Layer.provideMerge(rules),
    Layer.provideMerge(Readiness.layer),
    Layer.provideMerge(adapters),
    Layer.provideMerge(
      Layer.mergeAll(
        Catalog.layer,
        Implementations.layer,
        Revocations.layer,
        RateLimit.layer(options.rateLimitPerMinute),
        Layer.succeed(KeySettings, { pepper: options.pepper, isProduction: options.isProduction })
      )
    )
  )

const signIn = (options: PodOptions) =>
  Layer.unwrapEffect(
    Effect.map(Database, ({ pool }) =>
      Layer.orDie(
        layerBetterAuth({
          pool,
          secret: options.sessionSecret,
          baseUrl: options.baseUrl,
          sessionSeconds: options.sessionSeconds
        })
      )
    )
  )

/** The pod over a database. */
export const layer = (options: PodOptions) => over(Layer.mergeAll(stores, signIn(options), SweepSql.layer), options)
