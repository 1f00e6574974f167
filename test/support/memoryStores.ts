/** The memory twins of all the pod's stores, declared once for pods and for the suites of stores. */
import { Layer } from "effect"
import { Idempotency } from "../../src/doors/Idempotency.ts"
import { EntityStore } from "../../src/features/entities/EntityStore.ts"
import { AttachmentStore } from "../../src/features/attachments/AttachmentStore.ts"
import { MemoryFiled } from "../../src/features/entities/MemoryFiled.ts"
import { NamesakeStore } from "../../src/features/entities/identity/NamesakeStore.ts"
import { EventLog, MemoryEvents } from "../../src/features/events/EventLog.ts"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import { KnowledgeStore } from "../../src/features/knowledge/KnowledgeStore.ts"
import { MessagingStore } from "../../src/features/messaging/MessagingStore.ts"
import { MemoryUsers, PeopleStore } from "../../src/features/people/PeopleStore.ts"
import { PolicyStore } from "../../src/features/governance/PolicyStore.ts"
import { Profiles } from "../../src/features/profiles/Profiles.ts"
import { DigestStore } from "../../src/features/digest/DigestStore.ts"
import { ProjectMemberStore } from "../../src/features/projects/ProjectMemberStore.ts"
import * as WorkspaceUseMemory from "../../src/features/projects/WorkspaceUseMemory.ts"
import { ProjectionStore } from "../../src/features/projection/ProjectionStore.ts"
import { ProposalStore } from "../../src/features/proposals/ProposalStore.ts"
import { RelationStore } from "../../src/features/relations/RelationStore.ts"
import { MemoryRevisions } from "../../src/features/records/MemoryRevisions.ts"
import { RecordHistory } from "../../src/features/records/RecordHistory.ts"
import { Records } from "../../src/features/records/Records.ts"
import { MemberStore } from "../../src/features/workspaces/MemberStore.ts"
import { ProvisioningStore } from "../../src/features/workspaces/ProvisioningStore.ts"
import { WorkspaceChangeStore } from "../../src/features/workspaces/WorkspaceChangeStore.ts"
import { MemoryWorkspaces, WorkspaceStore } from "../../src/features/workspaces/WorkspaceStore.ts"
import * as SignInMemory from "../../src/platform/SignInMemory.ts"
import { Transaction } from "../../src/platform/Transaction.ts"

/** Includes the state that the twins share, which tests read. */
export const memoryStores = Layer.mergeAll(
  ProjectMemberStore.layerMemory.pipe(Layer.provide(EntityStore.layerMemory)),
  RelationStore.layerMemory.pipe(Layer.provide(EntityStore.layerMemory)),
  DigestStore.layerMemory.pipe(Layer.provide(EntityStore.layerMemory)),
  WorkspaceUseMemory.layer.pipe(Layer.provide(EntityStore.layerMemory)),
  EntityStore.layerMemory,
  AttachmentStore.layerMemory.pipe(Layer.provide(EntityStore.layerMemory)),
  NamesakeStore.layerMemory.pipe(Layer.provide(EntityStore.layerMemory)),
  EventLog.layerMemory,
  KeyStore.layerMemory,
  KnowledgeStore.layerMemory,
  MessagingStore.layerMemory.pipe(Layer.provide(Records.layerMemory)),
  PeopleStore.layerMemory,
  PolicyStore.layerMemory,
  ProjectionStore.layerMemory.pipe(Layer.provide(EntityStore.layerMemory)),
  ProposalStore.layerMemory,
  Transaction.layerMemory,
  MemberStore.layerMemory,
  ProvisioningStore.layerMemory,
  WorkspaceChangeStore.layerMemory,
  WorkspaceStore.layerMemory,
  Idempotency.layerMemory
).pipe(
  Layer.provideMerge(Profiles.layerMemory),
  Layer.provideMerge(RecordHistory.layerMemory),
  Layer.provideMerge(Records.layerMemory),
  Layer.provideMerge(MemoryRevisions.layer),
  Layer.provideMerge(MemoryFiled.layer),
  Layer.provideMerge(MemoryWorkspaces.layer),
  Layer.provideMerge(Layer.mergeAll(MemoryEvents.layer, MemoryUsers.layer, SignInMemory.layerMemory))
)
