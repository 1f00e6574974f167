/** Every procedure of the bridge and of /trpc: one line a feature. */
import { EntityProcedures } from "./features/entities/EntityRpc.ts"
import { EventProcedures } from "./features/events/EventRpc.ts"
import { KeyProcedures } from "./features/keys/KeyRpc.ts"
import { PeopleProcedures } from "./features/people/PeopleApi.ts"
import { ProposalProcedures } from "./features/proposals/ProposalRpc.ts"
import { SystemProcedures } from "./features/system/SystemApi.ts"
import { WorkspaceProcedures } from "./features/workspaces/WorkspaceApi.ts"

export const Procedures = EntityProcedures.merge(
  KeyProcedures,
  PeopleProcedures,
  WorkspaceProcedures,
  EventProcedures,
  ProposalProcedures,
  SystemProcedures
)
