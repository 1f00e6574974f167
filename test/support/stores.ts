/** The pod's stores on each engine, with the people and workspaces that the suite of a store starts from. */
import { SqlClient, type SqlError } from "@effect/sql"
import { afterAll, beforeAll, describe } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, TestClock } from "effect"
import { Idempotency } from "../../src/doors/Idempotency.ts"
import { Reach, type ReachShape } from "../../src/doors/Reach.ts"
import { Revocations } from "../../src/doors/Revocations.ts"
import { EntityStore } from "../../src/features/entities/EntityStore.ts"
import * as EntitySql from "../../src/features/entities/EntitySql.ts"
import { AttachmentStore } from "../../src/features/attachments/AttachmentStore.ts"
import * as AttachmentSql from "../../src/features/attachments/AttachmentSql.ts"
import { NamesakeStore } from "../../src/features/entities/identity/NamesakeStore.ts"
import * as NamesakeSql from "../../src/features/entities/identity/NamesakeSql.ts"
import { EventLog } from "../../src/features/events/EventLog.ts"
import * as EventSql from "../../src/features/events/EventSql.ts"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import * as KeySql from "../../src/features/keys/KeySql.ts"
import { KnowledgeStore } from "../../src/features/knowledge/KnowledgeStore.ts"
import * as KnowledgeSql from "../../src/features/knowledge/KnowledgeSql.ts"
import { MessagingStore } from "../../src/features/messaging/MessagingStore.ts"
import * as MessagingSql from "../../src/features/messaging/MessagingSql.ts"
import { PeopleStore } from "../../src/features/people/PeopleStore.ts"
import * as PeopleSql from "../../src/features/people/PeopleSql.ts"
import { PolicyStore } from "../../src/features/governance/PolicyStore.ts"
import * as PolicySql from "../../src/features/governance/PolicySql.ts"
import { Profiles } from "../../src/features/profiles/Profiles.ts"
import * as ProfileSql from "../../src/features/profiles/ProfileSql.ts"
import * as WorkspaceUseSql from "../../src/features/projects/WorkspaceUseSql.ts"
import * as DigestSql from "../../src/features/digest/DigestSql.ts"
import { DigestStore } from "../../src/features/digest/DigestStore.ts"
import * as ProjectMemberSql from "../../src/features/projects/ProjectMemberSql.ts"
import { ProjectMemberStore } from "../../src/features/projects/ProjectMemberStore.ts"
import { ProjectionStore } from "../../src/features/projection/ProjectionStore.ts"
import * as ProjectionSql from "../../src/features/projection/ProjectionSql.ts"
import { ProposalStore } from "../../src/features/proposals/ProposalStore.ts"
import * as ProposalSql from "../../src/features/proposals/ProposalSql.ts"
import * as RelationSql from "../../src/features/relations/RelationSql.ts"
import { RelationStore } from "../../src/features/relations/RelationStore.ts"
import { RecordHistory } from "../../src/features/records/RecordHistory.ts"
import * as RecordHistorySql from "../../src/features/records/RecordHistorySql.ts"
import { Records } from "../../src/features/records/Records.ts"
import * as RecordsSql from "../../src/features/records/RecordsSql.ts"
import * as IdempotencySql from "../../src/features/system/IdempotencySql.ts"
import { MemberStore } from "../../src/features/workspaces/MemberStore.ts"
import * as MemberSql from "../../src/features/workspaces/MemberSql.ts"
import { ProvisioningStore } from "../../src/features/workspaces/ProvisioningStore.ts"
import * as ProvisioningSql from "../../src/features/workspaces/ProvisioningSql.ts"
import { WorkspaceChangeStore } from "../../src/features/workspaces/WorkspaceChangeStore.ts"
import * as WorkspaceChangeSql from "../../src/features/workspaces/WorkspaceChangeSql.ts"
import { WorkspaceUse } from "../../src/features/workspaces/WorkspaceUse.ts"
import { WorkspaceStore } from "../../src/features/workspaces/WorkspaceStore.ts"
import * as WorkspaceSql from "../../src/features/workspaces/WorkspaceSql.ts"
import { layerPglite } from "../../src/platform/Embedded.ts"
import { layerPostgres } from "../../src/platform/Postgres.ts"
import { Transaction } from "../../src/platform/Transaction.ts"
import { memoryStores } from "./memoryStores.ts"
import { anEmbedded } from "./pgliteImage.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "./postgres.ts"
import { sharedLayer } from "./sharedLayer.ts"

/** The difference between the engines in a test: how a day passes for stored rows. */
export class Engine extends Context.Tag("test/Engine")<
  Engine,
  { readonly isSql: boolean; readonly aDayLater: Effect.Effect<void> }
>() {}

export type Stores =
  | DigestStore
  | ProjectMemberStore
  | RelationStore
  | EntityStore
  | NamesakeStore
  | AttachmentStore
  | EventLog
  | KeyStore
  | KnowledgeStore
  | MessagingStore
  | PeopleStore
  | PolicyStore
  | Profiles
  | ProjectionStore
  | ProposalStore
  | RecordHistory
  | Records
  | Transaction
  | MemberStore
  | ProvisioningStore
  | WorkspaceChangeStore
  | WorkspaceStore
  | WorkspaceUse
  | Idempotency
  | Engine

const inMemory: Layer.Layer<Stores> = Layer.mergeAll(
  memoryStores,
  Layer.succeed(Engine, { isSql: false, aDayLater: TestClock.adjust("25 hours") })
).pipe(Layer.provide(Revocations.layer))

/** Runs the work as the owner of the tables, in its own transaction, on either engine. */
export const asOwner = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(Effect.orDie(sql`SET LOCAL ROLE NONE`), work).pipe(sql.withTransaction, dieOnSql)
  )

const dieOnSql = <A, E, R>(work: Effect.Effect<A, E | SqlError.SqlError, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(
    work,
    (error): error is SqlError.SqlError => (error as { readonly _tag?: unknown } | null)?._tag === "SqlError",
    Effect.die
  ) as Effect.Effect<A, E, R>

const engineInSql = Layer.effect(
  Engine,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    isSql: true,
    aDayLater: Effect.orDie(sql`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`).pipe(
      Effect.zipRight(TestClock.adjust("25 hours"))
    )
  }))
)

const inSql = Layer.mergeAll(
  DigestSql.layer,
  WorkspaceUseSql.layer,
  ProjectMemberSql.layer,
  RelationSql.layer,
  EntitySql.layer,
  NamesakeSql.layer,
  AttachmentSql.layer,
  EventSql.layer,
  KeySql.layer,
  KnowledgeSql.layer,
  MessagingSql.layer,
  PeopleSql.layer,
  PolicySql.layer,
  ProfileSql.layer,
  ProjectionSql.layer,
  ProposalSql.layer,
  RecordsSql.layer,
  RecordHistorySql.layer,
  Transaction.layerSql,
  MemberSql.layer,
  ProvisioningSql.layer,
  WorkspaceChangeSql.layer,
  WorkspaceSql.layer,
  IdempotencySql.layer,
  engineInSql
)

export type SqlStores = Stores | SqlClient.SqlClient

export interface SqlOptions {
  /** Runs once on the fresh database, as its owner. */
  readonly first?: Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>
  readonly poolMax?: number
}

const prepared = (database: Layer.Layer<SqlClient.SqlClient, unknown>, { first = Effect.void }: SqlOptions) =>
  Layer.orDie(
    Layer.provideMerge(inSql, Layer.provideMerge(Layer.effectDiscard(asOwner(first)), database)) as Layer.Layer<
      SqlStores,
      unknown
    >
  )

/** Runs the suite on PGlite and on PostgreSQL, each with a fresh database. */
export const onEachDatabase = (
  noun: string,
  suite: (stores: Layer.Layer<SqlStores>) => void,
  options: SqlOptions = {}
): void => {
  describe(`${noun} on PGlite`, () =>
    suite(sharedLayer(() => prepared(layerPglite(Effect.promise(() => anEmbedded())), options))))
  describePostgres(`${noun} on PostgreSQL`, (server) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await aDatabaseOn(server)
    })
    afterAll(() => database?.drop())
    const { poolMax = 8 } = options
    suite(
      sharedLayer(() =>
        prepared(layerPostgres({ url: Redacted.make(database.url), poolMax, startTimeoutMs: 10_000 }), options)
      )
    )
  })
}

/** Runs the contract suite of a store on memory, PGlite and PostgreSQL. */
export const onEachEngine = (noun: string, suite: (stores: Layer.Layer<Stores>) => void): void => {
  describe(`${noun} in memory`, () => suite(sharedLayer(() => inMemory)))
  onEachDatabase(noun, suite)
}

/** Runs the call with a reach. */
export const by =
  (reach: ReachShape) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Reach>> =>
    Effect.provideService(work, Reach, reach)
