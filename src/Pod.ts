/** The pod put together: the only file that says which adapter backs which service. */
import { Effect, Layer, type Redacted } from "effect"
import { Catalog } from "./doors/Catalog.ts"
import { Dispatch } from "./doors/Dispatch.ts"
import { Implementations } from "./doors/Implement.ts"
import { compileProcedures, compileRest, compileTools } from "./doors/Operation.ts"
import { RateLimit } from "./doors/RateLimit.ts"
import { Revocations } from "./doors/Revocations.ts"
import * as AccessLayer from "./features/access/AccessLayer.ts"
import * as AccessRoleLayer from "./features/accessRoles/AccessRoleLayer.ts"
import * as ArtifactLayer from "./features/artifacts/ArtifactLayer.ts"
import * as AttachmentLayer from "./features/attachments/AttachmentLayer.ts"
import * as AttachmentSql from "./features/attachments/AttachmentSql.ts"
import * as AutomationLayer from "./features/automations/AutomationLayer.ts"
import * as BrandLayer from "./features/brands/BrandLayer.ts"
import * as CommandHandlers from "./features/commands/CommandHandlers.ts"
import * as ContextLayer from "./features/context/ContextLayer.ts"
import * as ConversationLayer from "./features/conversations/ConversationLayer.ts"
import * as DecisionHandlers from "./features/decisions/DecisionHandlers.ts"
import * as DigestLayer from "./features/digest/DigestLayer.ts"
import * as DigestSql from "./features/digest/DigestSql.ts"
import * as DocumentLayer from "./features/documents/DocumentLayer.ts"
import * as EntityLayer from "./features/entities/EntityLayer.ts"
import * as EntitySql from "./features/entities/EntitySql.ts"
import * as NamesakeSql from "./features/entities/identity/NamesakeSql.ts"
import * as EventHandlers from "./features/events/EventHandlers.ts"
import * as EventSql from "./features/events/EventSql.ts"
import * as FocusSessionLayer from "./features/focusSessions/FocusSessionLayer.ts"
import { Changers } from "./features/gate/Changers.ts"
import { GovernanceGate } from "./features/gate/GovernanceGate.ts"
import * as GovernanceLayer from "./features/governance/GovernanceLayer.ts"
import * as PolicySql from "./features/governance/PolicySql.ts"
import { layerAgentPolicies } from "./features/governance/PolicyStore.ts"
import { GrantMatcher } from "./features/grants/GrantMatcher.ts"
import * as InvitationLayer from "./features/invitations/InvitationLayer.ts"
import * as InvitationSql from "./features/invitations/InvitationSql.ts"
import * as KeyLayer from "./features/keys/KeyLayer.ts"
import { KeySettings } from "./features/keys/Keys.ts"
import * as KeySql from "./features/keys/KeySql.ts"
import * as KnowledgeLayer from "./features/knowledge/KnowledgeLayer.ts"
import * as KnowledgeSql from "./features/knowledge/KnowledgeSql.ts"
import * as MessagingLayer from "./features/messaging/MessagingLayer.ts"
import * as MessagingSql from "./features/messaging/MessagingSql.ts"
import * as AccountSql from "./features/people/AccountSql.ts"
import * as PeopleLayer from "./features/people/PeopleLayer.ts"
import * as PeopleSql from "./features/people/PeopleSql.ts"
import * as PreviewLayer from "./features/preview/PreviewLayer.ts"
import * as ProfileLayer from "./features/profiles/ProfileLayer.ts"
import * as ProfileSql from "./features/profiles/ProfileSql.ts"
import * as ProjectionLayer from "./features/projection/ProjectionLayer.ts"
import * as ProjectionSql from "./features/projection/ProjectionSql.ts"
import * as ProjectLayer from "./features/projects/ProjectLayer.ts"
import * as ProjectMemberSql from "./features/projects/ProjectMemberSql.ts"
import * as WorkspaceUseSql from "./features/projects/WorkspaceUseSql.ts"
import * as Filing from "./features/proposals/Filing.ts"
import * as ProposalLayer from "./features/proposals/ProposalLayer.ts"
import * as ProposalSql from "./features/proposals/ProposalSql.ts"
import * as RecordHistorySql from "./features/records/RecordHistorySql.ts"
import * as RecordsSql from "./features/records/RecordsSql.ts"
import * as RelationLayer from "./features/relations/RelationLayer.ts"
import * as RelationSql from "./features/relations/RelationSql.ts"
import * as IdempotencySql from "./features/system/IdempotencySql.ts"
import * as SweepSql from "./features/system/SweepSql.ts"
import * as SystemLayer from "./features/system/SystemLayer.ts"
import * as TrackHandlers from "./features/tracks/TrackHandlers.ts"
import * as ViewHandlers from "./features/views/ViewHandlers.ts"
import * as WebhookHandlers from "./features/webhooks/WebhookHandlers.ts"
import * as MemberSql from "./features/workspaces/MemberSql.ts"
import * as ProvisioningSql from "./features/workspaces/ProvisioningSql.ts"
import * as WorkspaceChangeSql from "./features/workspaces/WorkspaceChangeSql.ts"
import * as WorkspaceLayer from "./features/workspaces/WorkspaceLayer.ts"
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
  AccountSql.layer,
  EventSql.layer,
  EntitySql.layer,
  NamesakeSql.layer,
  AttachmentSql.layer,
  InvitationSql.layer,
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
const gate = GovernanceGate.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(GrantMatcher.layer, Changers.layer, layerAgentPolicies, Filing.layer))
)

/** Every feature: its services and handlers. Stores and the gate are left open. */
const features = Layer.mergeAll(
  AccessRoleLayer.layer,
  ArtifactLayer.layer,
  AttachmentLayer.layer,
  AutomationLayer.layer,
  BrandLayer.layer,
  CommandHandlers.layer,
  ContextLayer.layer,
  ConversationLayer.layer,
  DecisionHandlers.layer,
  DigestLayer.layer,
  DocumentLayer.layer,
  EntityLayer.layer,
  EventHandlers.layer,
  FocusSessionLayer.layer,
  GovernanceLayer.layer,
  InvitationLayer.layer,
  KeyLayer.layer,
  KnowledgeLayer.layer,
  MessagingLayer.layer,
  PeopleLayer.layer,
  PreviewLayer.layer,
  ProfileLayer.layer,
  ProjectLayer.layer,
  ProjectionLayer.layer,
  ProposalLayer.layer,
  RelationLayer.layer,
  SystemLayer.layer,
  TrackHandlers.layer,
  ViewHandlers.layer,
  WebhookHandlers.layer,
  WorkspaceLayer.layer
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
    Layer.provideMerge(features),
    Layer.provideMerge(Dispatch.layer.pipe(Layer.provideMerge(AccessLayer.layer))),
    Layer.provideMerge(gate),
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
