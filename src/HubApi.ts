/** The whole REST API, with one line for each feature. */
import { HttpApi, OpenApi } from "@effect/platform"
import { hubMount } from "./doors/Mounts.ts"
import { ChannelApi } from "./features/conversations/ChannelApi.ts"
import { ThreadApi } from "./features/conversations/ThreadApi.ts"
import { SampleApi } from "./features/samples/SampleApi.ts"
import { BackupApi } from "./features/backups/BackupApi.ts"
import { CalendarApi } from "./features/calendar/CalendarApi.ts"
import { ConnectorApi } from "./features/connectors/ConnectorApi.ts"
import { ProviderApi } from "./features/providers/ProviderApi.ts"
import { ArtifactApi } from "./features/artifacts/ArtifactApi.ts"
import { BrandApi } from "./features/brands/BrandApi.ts"
import { ExternalChatApi } from "./features/chat/ExternalChatApi.ts"
import { OpenAiApi } from "./features/chat/OpenAiApi.ts"
import { CommandApi } from "./features/commands/CommandApi.ts"
import { AttachmentApi } from "./features/attachments/AttachmentApi.ts"
import { EventApi } from "./features/events/EventApi.ts"
import { FacetApi } from "./features/facets/FacetApi.ts"
import { DocumentApi } from "./features/documents/DocumentApi.ts"
import { EntityApi } from "./features/entities/EntityApi.ts"
import { GovernanceApi } from "./features/governance/GovernanceApi.ts"
import { GraphApi } from "./features/graph/GraphApi.ts"
import { DiscoveryApi } from "./features/discovery/DiscoveryApi.ts"
import { OrientationApi } from "./features/orientation/OrientationApi.ts"
import { HealthApi } from "./features/health/HealthApi.ts"
import { CentralityApi } from "./features/centrality/CentralityApi.ts"
import { AdoptionApi } from "./features/adoption/AdoptionApi.ts"
import { FederationApi } from "./features/federation/FederationApi.ts"
import { DecisionApi } from "./features/decisions/DecisionApi.ts"
import { InvitationApi, JoinApi } from "./features/invitations/InvitationApi.ts"
import { KeyApi } from "./features/keys/KeyApi.ts"
import { KnowledgeApi } from "./features/knowledge/KnowledgeApi.ts"
import { MemoryApi } from "./features/memory/MemoryApi.ts"
import { AccountApi } from "./features/people/AccountApi.ts"
import { PeopleApi } from "./features/people/PeopleApi.ts"
import { ProjectApi } from "./features/projects/ProjectApi.ts"
import { ProfileApi, PropertyDefApi } from "./features/profiles/ProfileApi.ts"
import { PulseApi } from "./features/pulse/PulseApi.ts"
import { RelationApi, RelationDefApi } from "./features/relations/RelationApi.ts"
import { ProposalApi } from "./features/proposals/ProposalApi.ts"
import { AutomationRuleApi } from "./features/automations/AutomationRuleApi.ts"
import { MessagingApi } from "./features/messaging/MessagingApi.ts"
import { NotificationApi } from "./features/notifications/NotificationApi.ts"
import { ProactiveApi } from "./features/proactive/ProactiveApi.ts"
import { FocusSessionApi } from "./features/focusSessions/FocusSessionApi.ts"
import { SetupApi } from "./features/setup/SetupApi.ts"
import { ExternalSkillApi, SkillApi } from "./features/skills/SkillApi.ts"
import { SignInApi } from "./features/people/SignInApi.ts"
import { ProbeApi, SystemApi } from "./features/system/SystemApi.ts"
import { RetrievalApi } from "./features/retrieval/RetrievalApi.ts"
import { TrackApi } from "./features/tracks/TrackApi.ts"
import { ContextApi } from "./features/context/ContextApi.ts"
import { WorkspaceDigestApi } from "./features/digest/WorkspaceDigestApi.ts"
import { ProjectionApi } from "./features/projection/ProjectionApi.ts"
import { ViewApi } from "./features/views/ViewApi.ts"
import { WorkflowApi } from "./features/workflows/WorkflowApi.ts"
import { WebhookApi } from "./features/webhooks/WebhookApi.ts"
import { WorkspaceApi } from "./features/workspaces/WorkspaceApi.ts"

const Hub = HttpApi.make("hub")
  .add(SystemApi)
  .add(PeopleApi)
  .add(AccountApi)
  .add(BackupApi)
  .add(SampleApi)
  .add(InvitationApi)
  .add(KeyApi)
  .add(WorkspaceApi)
  .add(WorkspaceDigestApi)
  .add(ContextApi)
  .add(ProjectionApi)
  .add(EntityApi)
  .add(FacetApi)
  .add(AttachmentApi)
  .add(RetrievalApi)
  .add(KnowledgeApi)
  .add(MemoryApi)
  .add(ProfileApi)
  .add(PropertyDefApi)
  .add(ProposalApi)
  .add(GovernanceApi)
  .add(DecisionApi)
  .add(TrackApi)
  .add(DocumentApi)
  .add(ViewApi)
  .add(ArtifactApi)
  .add(AutomationRuleApi)
  .add(CommandApi)
  .add(BrandApi)
  .add(ChannelApi)
  .add(ThreadApi)
  .add(MessagingApi)
  .add(NotificationApi)
  .add(ProactiveApi)
  .add(FocusSessionApi)
  .add(ProjectApi)
  .add(PulseApi)
  .add(RelationApi)
  .add(RelationDefApi)
  .add(HealthApi)
  .add(AdoptionApi)
  .add(DiscoveryApi)
  .add(OrientationApi)
  .add(GraphApi)
  .add(CentralityApi)
  .add(FederationApi)
  .add(SetupApi)
  .add(SkillApi)
  .add(EventApi)
  .add(WebhookApi)
  .add(CalendarApi)
  .add(ConnectorApi)
  .add(ProviderApi)
  .prefix(hubMount)

const Root = HttpApi.make("root").add(ProbeApi).add(SignInApi).add(JoinApi).add(ExternalSkillApi).add(WorkflowApi)

/**
 * Routes with the paths and answers that OpenAI and chat clients expect. They are outside `/api/hub`, the path of the
 * other REST routes.
 */
const External = HttpApi.make("external").add(OpenAiApi).add(ExternalChatApi)

export const HubApi = HttpApi.make("pod")
  .addHttpApi(Hub)
  .addHttpApi(Root)
  .addHttpApi(External)
  .annotate(OpenApi.Title, "Pod")
