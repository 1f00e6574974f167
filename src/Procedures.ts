/**
 * Every RPC procedure, with one line for each feature. The pod serves them at `/trpc` for sign-in sessions and at
 * `/api/hub/trpc` for keys.
 */
import { AgentConfigProcedures } from "./features/agentConfigs/AgentConfigRpc.ts"
import { AutomationProcedures } from "./features/automations/AutomationRpc.ts"
import { ConnectorProcedures } from "./features/connectors/ConnectorRpc.ts"
import { CommandProcedures } from "./features/commands/CommandRpc.ts"
import { DocumentProcedures } from "./features/documents/DocumentRpc.ts"
import { EntityProcedures } from "./features/entities/EntityRpc.ts"
import { EventProcedures } from "./features/events/EventRpc.ts"
import { FigureProcedures } from "./features/figures/FigureRpc.ts"
import { GovernanceProcedures } from "./features/governance/GovernanceApi.ts"
import { IntelligenceProcedures } from "./features/intelligence/IntelligenceRpc.ts"
import { KeyProcedures } from "./features/keys/KeyRpc.ts"
import { NotificationProcedures } from "./features/notifications/NotificationRpc.ts"
import { OwnSessionProcedures } from "./features/people/OwnSessionRpc.ts"
import { PeopleProcedures } from "./features/people/PeopleApi.ts"
import { ProfileProcedures } from "./features/profiles/ProfileRpc.ts"
import { RelationProcedures } from "./features/relations/RelationRpc.ts"
import { ProposalProcedures } from "./features/proposals/ProposalRpc.ts"
import { PreferenceProcedures } from "./features/preferences/PreferenceRpc.ts"
import { PreviewProcedures } from "./features/preview/PreviewRpc.ts"
import { ProjectionProcedures } from "./features/projection/ProjectionRpc.ts"
import { WebhookProcedures } from "./features/webhooks/WebhookRpc.ts"
import { AccessRoleProcedures } from "./features/accessRoles/AccessRoleRpc.ts"
import { IndexStatusProcedures } from "./features/search/IndexStatusRpc.ts"
import { SystemProcedures } from "./features/system/SystemApi.ts"
import { UsageProcedures } from "./features/usage/UsageRpc.ts"
import { VaultProcedures } from "./features/vault/VaultRpc.ts"
import { ViewProcedures } from "./features/views/ViewRpc.ts"
import { WorkspaceProcedures } from "./features/workspaces/WorkspaceApi.ts"

export const Procedures = EntityProcedures.merge(
  KeyProcedures,
  UsageProcedures,
  NotificationProcedures,
  PeopleProcedures,
  OwnSessionProcedures,
  WorkspaceProcedures,
  EventProcedures,
  ProfileProcedures,
  ProposalProcedures,
  AutomationProcedures,
  CommandProcedures,
  DocumentProcedures,
  VaultProcedures,
  ConnectorProcedures,
  ViewProcedures,
  RelationProcedures,
  GovernanceProcedures,
  PreviewProcedures,
  ProjectionProcedures,
  AccessRoleProcedures,
  WebhookProcedures,
  SystemProcedures,
  FigureProcedures,
  IntelligenceProcedures,
  PreferenceProcedures,
  AgentConfigProcedures,
  IndexStatusProcedures
)
