/** The whole REST API: one line a feature. */
import { HttpApi, OpenApi } from "@effect/platform"
import { EntityApi } from "./features/entities/EntityApi.ts"
import { KeyApi } from "./features/keys/KeyApi.ts"
import { KnowledgeApi } from "./features/knowledge/KnowledgeApi.ts"
import { PeopleApi } from "./features/people/PeopleApi.ts"
import { ProposalApi } from "./features/proposals/ProposalApi.ts"
import { SignInApi } from "./features/people/SignInApi.ts"
import { ProbeApi, SystemApi } from "./features/system/SystemApi.ts"
import { TrackApi } from "./features/tracks/TrackApi.ts"
import { WorkspaceApi } from "./features/workspaces/WorkspaceApi.ts"

export const hubMount = "/api/hub"
/** The older mount of the same routes. */
export const hubMountAlias = "/api/hub-protocol"

const Hub = HttpApi.make("hub")
  .add(SystemApi)
  .add(PeopleApi)
  .add(KeyApi)
  .add(WorkspaceApi)
  .add(EntityApi)
  .add(KnowledgeApi)
  .add(ProposalApi)
  .add(TrackApi)
  .prefix(hubMount)

const Root = HttpApi.make("root").add(ProbeApi).add(SignInApi)

export const HubApi = HttpApi.make("pod").addHttpApi(Hub).addHttpApi(Root).annotate(OpenApi.Title, "Pod")
