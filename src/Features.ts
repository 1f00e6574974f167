/**
 * The features of the pod: the services and the handlers of each feature. All services and handlers get the stores and
 * the governance gate.
 */
import { Layer } from "effect"
import * as AccessRoleLayer from "./features/accessRoles/AccessRoleLayer.ts"
import * as AdoptionLayer from "./features/adoption/AdoptionLayer.ts"
import * as AgentConfigHandlers from "./features/agentConfigs/AgentConfigHandlers.ts"
import * as ArtifactLayer from "./features/artifacts/ArtifactLayer.ts"
import * as AttachmentLayer from "./features/attachments/AttachmentLayer.ts"
import * as AutomationLayer from "./features/automations/AutomationLayer.ts"
import * as BackupHandlers from "./features/backups/BackupHandlers.ts"
import * as BrandLayer from "./features/brands/BrandLayer.ts"
import * as CaptureLayer from "./features/capture/CaptureLayer.ts"
import * as CalendarLayer from "./features/calendar/CalendarLayer.ts"
import * as CentralityLayer from "./features/centrality/CentralityLayer.ts"
import * as ChatLayer from "./features/chat/ChatLayer.ts"
import * as CommandLayer from "./features/commands/CommandLayer.ts"
import * as ConnectorLayer from "./features/connectors/ConnectorLayer.ts"
import * as ContextLayer from "./features/context/ContextLayer.ts"
import * as ConversationLayer from "./features/conversations/ConversationLayer.ts"
import * as DecisionHandlers from "./features/decisions/DecisionHandlers.ts"
import * as DiagnoseLayer from "./features/diagnosis/DiagnoseLayer.ts"
import * as DigestLayer from "./features/digest/DigestLayer.ts"
import * as DiscoveryLayer from "./features/discovery/DiscoveryLayer.ts"
import * as DocumentLayer from "./features/documents/DocumentLayer.ts"
import * as EntityLayer from "./features/entities/EntityLayer.ts"
import * as EventLayer from "./features/events/EventLayer.ts"
import * as FacetHandlers from "./features/facets/FacetHandlers.ts"
import * as FederationLayer from "./features/federation/FederationLayer.ts"
import * as FigureLayer from "./features/figures/FigureLayer.ts"
import * as FocusSessionLayer from "./features/focusSessions/FocusSessionLayer.ts"
import * as GovernanceLayer from "./features/governance/GovernanceLayer.ts"
import * as GraphLayer from "./features/graph/GraphLayer.ts"
import * as HealthLayer from "./features/health/HealthLayer.ts"
import * as IntelligenceLayer from "./features/intelligence/IntelligenceLayer.ts"
import * as InvitationLayer from "./features/invitations/InvitationLayer.ts"
import * as KeyLayer from "./features/keys/KeyLayer.ts"
import * as KnowledgeLayer from "./features/knowledge/KnowledgeLayer.ts"
import * as MemoryLayer from "./features/memory/MemoryLayer.ts"
import * as MessagingLayer from "./features/messaging/MessagingLayer.ts"
import * as NotificationLayer from "./features/notifications/NotificationLayer.ts"
import * as OrientationLayer from "./features/orientation/OrientationLayer.ts"
import * as PeopleLayer from "./features/people/PeopleLayer.ts"
import * as PreferenceLayer from "./features/preferences/PreferenceLayer.ts"
import * as PreviewLayer from "./features/preview/PreviewLayer.ts"
import * as ProactiveLayer from "./features/proactive/ProactiveLayer.ts"
import * as ProfileLayer from "./features/profiles/ProfileLayer.ts"
import * as ProjectionLayer from "./features/projection/ProjectionLayer.ts"
import * as ProjectLayer from "./features/projects/ProjectLayer.ts"
import * as ProposalLayer from "./features/proposals/ProposalLayer.ts"
import * as ProviderLayer from "./features/providers/ProviderLayer.ts"
import * as PulseLayer from "./features/pulse/PulseLayer.ts"
import * as RelationLayer from "./features/relations/RelationLayer.ts"
import * as RetrievalLayer from "./features/retrieval/RetrievalLayer.ts"
import * as SampleHandlers from "./features/samples/SampleHandlers.ts"
import * as SearchLayer from "./features/search/SearchLayer.ts"
import * as SetupLayer from "./features/setup/SetupLayer.ts"
import * as SkillLayer from "./features/skills/SkillLayer.ts"
import * as SystemLayer from "./features/system/SystemLayer.ts"
import * as TrackHandlers from "./features/tracks/TrackHandlers.ts"
import * as UsageLayer from "./features/usage/UsageLayer.ts"
import * as VaultLayer from "./features/vault/VaultLayer.ts"
import * as ViewLayer from "./features/views/ViewLayer.ts"
import * as WaitLayer from "./features/waiting/WaitLayer.ts"
import * as WebhookLayer from "./features/webhooks/WebhookLayer.ts"
import * as WorkflowLayer from "./features/workflows/WorkflowLayer.ts"
import * as WorkspaceLayer from "./features/workspaces/WorkspaceLayer.ts"

export const layer = Layer.mergeAll(
  AccessRoleLayer.layer,
  AdoptionLayer.layer,
  AgentConfigHandlers.layer,
  ArtifactLayer.layer,
  AttachmentLayer.layer,
  AutomationLayer.layer,
  BackupHandlers.layer,
  BrandLayer.layer,
  CaptureLayer.layer,
  CalendarLayer.layer,
  CentralityLayer.layer,
  ChatLayer.layer,
  CommandLayer.layer,
  ConnectorLayer.layer,
  ContextLayer.layer,
  ConversationLayer.layer,
  DecisionHandlers.layer,
  DiagnoseLayer.layer,
  DigestLayer.layer,
  DiscoveryLayer.layer,
  DocumentLayer.layer,
  EntityLayer.layer,
  EventLayer.layer,
  FacetHandlers.layer.pipe(Layer.provide(EntityLayer.services)),
  FederationLayer.layer,
  FigureLayer.layer,
  FocusSessionLayer.layer,
  GovernanceLayer.layer,
  GraphLayer.layer,
  HealthLayer.layer,
  IntelligenceLayer.layer,
  InvitationLayer.layer,
  KeyLayer.layer,
  KnowledgeLayer.layer,
  MemoryLayer.layer,
  MessagingLayer.layer,
  NotificationLayer.layer,
  OrientationLayer.layer,
  PeopleLayer.layer,
  PreferenceLayer.layer,
  PreviewLayer.layer,
  ProactiveLayer.layer,
  ProfileLayer.layer,
  ProjectLayer.layer,
  ProjectionLayer.layer,
  ProposalLayer.layer,
  ProviderLayer.layer,
  PulseLayer.layer,
  RelationLayer.layer,
  RetrievalLayer.layer,
  SampleHandlers.layer.pipe(Layer.provide(KeyLayer.services)),
  SearchLayer.layer,
  SetupLayer.layer,
  SkillLayer.layer,
  SystemLayer.layer,
  TrackHandlers.layer,
  UsageLayer.layer,
  VaultLayer.layer,
  ViewLayer.layer,
  WaitLayer.layer,
  WebhookLayer.layer,
  WorkflowLayer.layer,
  WorkspaceLayer.layer
)
