/** The pod put together: the only file that says which adapter backs which service. */
import { Effect, Layer, type Redacted } from "effect"
import { Catalog } from "./doors/Catalog.ts"
import { Dispatch } from "./doors/Dispatch.ts"
import { Implementations } from "./doors/Implement.ts"
import { compileProcedures, compileRest, compileTools } from "./doors/Operation.ts"
import { RateLimit } from "./doors/RateLimit.ts"
import { Revocations } from "./doors/Revocations.ts"
import * as Access from "./features/access/Access.ts"
import * as ArtifactHandlers from "./features/artifacts/ArtifactHandlers.ts"
import { Artifacts } from "./features/artifacts/Artifacts.ts"
import * as AutomationHandlers from "./features/automations/AutomationHandlers.ts"
import * as BrandHandlers from "./features/brands/BrandHandlers.ts"
import { Brands } from "./features/brands/Brands.ts"
import * as CommandHandlers from "./features/commands/CommandHandlers.ts"
import * as ContextHandlers from "./features/context/ContextHandlers.ts"
import * as WorkspaceDigestHandlers from "./features/digest/WorkspaceDigestHandlers.ts"
import * as DocumentHandlers from "./features/documents/DocumentHandlers.ts"
import { Documents } from "./features/documents/Documents.ts"
import * as EntityHandlers from "./features/entities/EntityHandlers.ts"
import { Entities } from "./features/entities/Entities.ts"
import * as AttachmentHandlers from "./features/entities/AttachmentHandlers.ts"
import { Attachments } from "./features/entities/Attachments.ts"
import * as AttachmentSql from "./features/entities/AttachmentSql.ts"
import { EntityChanger } from "./features/entities/EntityChanger.ts"
import { EntityRules } from "./features/entities/EntityRules.ts"
import { EntityWrites } from "./features/entities/EntityWrites.ts"
import { Facets } from "./features/entities/Facets.ts"
import { Namesakes } from "./features/entities/Namesakes.ts"
import * as NamesakeSql from "./features/entities/NamesakeSql.ts"
import * as EntitySql from "./features/entities/EntitySql.ts"
import * as EventHandlers from "./features/events/EventHandlers.ts"
import * as EventSql from "./features/events/EventSql.ts"
import { Changers } from "./features/governance/Changers.ts"
import { GovernanceGate } from "./features/governance/GovernanceGate.ts"
import { GrantMatcher } from "./features/grants/GrantMatcher.ts"
import * as KeyHandlers from "./features/keys/KeyHandlers.ts"
import * as ChannelHandlers from "./features/conversations/ChannelHandlers.ts"
import { Messages } from "./features/conversations/Messages.ts"
import * as ThreadHandlers from "./features/conversations/ThreadHandlers.ts"
import { Threads } from "./features/conversations/Threads.ts"
import { Keys, KeySettings } from "./features/keys/Keys.ts"
import * as KeySql from "./features/keys/KeySql.ts"
import { Knowledge } from "./features/knowledge/Knowledge.ts"
import { KnowledgeChanger } from "./features/knowledge/KnowledgeChanger.ts"
import * as KnowledgeHandlers from "./features/knowledge/KnowledgeHandlers.ts"
import * as KnowledgeSql from "./features/knowledge/KnowledgeSql.ts"
import { Messaging } from "./features/messaging/Messaging.ts"
import * as MessagingHandlers from "./features/messaging/MessagingHandlers.ts"
import * as MessagingSql from "./features/messaging/MessagingSql.ts"
import { People } from "./features/people/People.ts"
import * as PeopleHandlers from "./features/people/PeopleHandlers.ts"
import * as PeopleSql from "./features/people/PeopleSql.ts"
import * as SignInHandlers from "./features/people/SignInHandlers.ts"
import * as PolicySql from "./features/policies/PolicySql.ts"
import { layerAgentPolicies } from "./features/policies/PolicyStore.ts"
import * as DecisionHandlers from "./features/decisions/DecisionHandlers.ts"
import * as PreviewHandlers from "./features/preview/PreviewHandlers.ts"
import { Previews } from "./features/preview/Previews.ts"
import { Governance } from "./features/policies/Governance.ts"
import * as GovernanceHandlers from "./features/policies/GovernanceHandlers.ts"
import * as ProfileHandlers from "./features/profiles/ProfileHandlers.ts"
import { ProfileRecords } from "./features/profiles/ProfileRecords.ts"
import * as ProfileSql from "./features/profiles/ProfileSql.ts"
import * as Filing from "./features/proposals/Filing.ts"
import * as ProjectionHandlers from "./features/projection/ProjectionHandlers.ts"
import { Projections } from "./features/projection/Projections.ts"
import * as ProjectionSql from "./features/projection/ProjectionSql.ts"
import * as DevApprovals from "./features/proposals/DevApprovals.ts"
import * as ProposalHandlers from "./features/proposals/ProposalHandlers.ts"
import { Proposals } from "./features/proposals/Proposals.ts"
import * as ProposalSql from "./features/proposals/ProposalSql.ts"
import { Settlement } from "./features/proposals/Settlement.ts"
import { Standing } from "./features/proposals/Standing.ts"
import * as DigestSql from "./features/projects/DigestSql.ts"
import * as WorkspaceUseSql from "./features/projects/WorkspaceUseSql.ts"
import { Digests } from "./features/projects/Digests.ts"
import * as ProjectHandlers from "./features/projects/ProjectHandlers.ts"
import { ProjectMembers } from "./features/projects/ProjectMembers.ts"
import * as ProjectMemberSql from "./features/projects/ProjectMemberSql.ts"
import { Projects } from "./features/projects/Projects.ts"
import * as RecordHistorySql from "./features/records/RecordHistorySql.ts"
import * as RecordsSql from "./features/records/RecordsSql.ts"
import { RelationDefs } from "./features/relations/RelationDefs.ts"
import * as RelationHandlers from "./features/relations/RelationHandlers.ts"
import * as RelationSql from "./features/relations/RelationSql.ts"
import { Relations } from "./features/relations/Relations.ts"
import { RelationWrites } from "./features/relations/RelationWrites.ts"
import * as WebhookHandlers from "./features/webhooks/WebhookHandlers.ts"
import * as RoleHandlers from "./features/roles/RoleHandlers.ts"
import { Roles } from "./features/roles/Roles.ts"
import * as RuleHandlers from "./features/rules/RuleHandlers.ts"
import { Rules } from "./features/rules/Rules.ts"
import * as FocusSessionHandlers from "./features/sessions/FocusSessionHandlers.ts"
import { FocusSessions } from "./features/sessions/FocusSessions.ts"
import * as IdempotencySql from "./features/system/IdempotencySql.ts"
import { Readiness } from "./features/system/Readiness.ts"
import * as SweepSql from "./features/system/SweepSql.ts"
import * as SystemHandlers from "./features/system/SystemHandlers.ts"
import * as TrackHandlers from "./features/tracks/TrackHandlers.ts"
import * as ViewHandlers from "./features/views/ViewHandlers.ts"
import { Members } from "./features/workspaces/Members.ts"
import * as MemberSql from "./features/workspaces/MemberSql.ts"
import * as ProvisioningSql from "./features/workspaces/ProvisioningSql.ts"
import { Provisioning } from "./features/workspaces/Provisioning.ts"
import * as WorkspaceChangeSql from "./features/workspaces/WorkspaceChangeSql.ts"
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
  DigestSql.layer,
  WorkspaceUseSql.layer,
  ProjectMemberSql.layer,
  RelationSql.layer,
  EventSql.layer,
  EntitySql.layer,
  NamesakeSql.layer,
  AttachmentSql.layer,
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
  IdempotencySql.layer
)

/** The gate, and everything it asks. */
const governance = GovernanceGate.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(GrantMatcher.layer, Changers.layer, layerAgentPolicies, Filing.layer))
)

/** What an entity has to be before it is written, and how it is. */
const entityWrites = EntityWrites.layer.pipe(
  Layer.provideMerge(EntityChanger.layer),
  Layer.provideMerge(Facets.layer),
  Layer.provideMerge(Layer.merge(EntityRules.layer, Namesakes.layer))
)

/** Projects and relations, which stand on entities and workspaces. */
const gathering = Relations.layer.pipe(
  Layer.provideMerge(RelationWrites.layer),
  Layer.provideMerge(RelationDefs.layer),
  Layer.provideMerge(Layer.mergeAll(Projects.layer, ProjectMembers.layer)),
  Layer.provideMerge(Digests.layer),
  Layer.provide(Layer.mergeAll(Entities.layer, Workspaces.layer)),
  Layer.provide(entityWrites)
)

/** Conversations, the inbox over them, and the sessions that may name one. */
const conversing = Layer.mergeAll(Messages.layer, FocusSessions.layer, Messaging.layer).pipe(
  Layer.provideMerge(Threads.layer)
)

const rules = Layer.mergeAll(
  conversing,
  gathering,
  Entities.layer.pipe(Layer.provideMerge(entityWrites)),
  Brands.layer,
  Artifacts.layer,
  Documents.layer,
  Knowledge.layer.pipe(Layer.provide(KnowledgeChanger.layer)),
  Rules.layer.pipe(Layer.provide(Proposals.layer)),
  Attachments.layer,
  ProfileRecords.layer,
  Workspaces.layer,
  Members.layer,
  Projections.layer,
  Layer.mergeAll(Proposals.layer, Settlement.layer, DevApprovals.layer, Governance.layer, Previews.layer).pipe(
    Layer.provideMerge(Standing.layer),
    Layer.provideMerge(Keys.layer),
    Layer.provideMerge(Roles.layer)
  )
).pipe(Layer.provideMerge(Provisioning.layer), Layer.provideMerge(People.layer), Layer.provideMerge(governance))

const handlers = Layer.mergeAll(
  ProjectHandlers.layer,
  RelationHandlers.layer,
  EntityHandlers.layer,
  AttachmentHandlers.layer,
  EventHandlers.layer,
  KeyHandlers.layer,
  KnowledgeHandlers.layer,
  PeopleHandlers.layer,
  ProfileHandlers.layer,
  ProposalHandlers.layer,
  GovernanceHandlers.layer,
  PreviewHandlers.layer,
  RoleHandlers.layer,
  WebhookHandlers.layer,
  DecisionHandlers.layer,
  SignInHandlers.layer,
  SystemHandlers.layer,
  TrackHandlers.layer,
  Layer.mergeAll(ArtifactHandlers.layer, DocumentHandlers.layer, ViewHandlers.layer),
  ChannelHandlers.layer,
  ThreadHandlers.layer,
  MessagingHandlers.layer,
  FocusSessionHandlers.layer,
  AutomationHandlers.layer,
  BrandHandlers.layer,
  CommandHandlers.layer,
  RuleHandlers.layer,
  ContextHandlers.layer,
  ProjectionHandlers.layer,
  WorkspaceDigestHandlers.layer,
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
