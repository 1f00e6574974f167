/** The stores of the pod in memory, all twins, said once for pods and for the suites of stores. */
import { Layer } from "effect"
import { Idempotency } from "../../src/doors/Idempotency.ts"
import { EntityStore } from "../../src/features/entities/EntityStore.ts"
import { EventLog, MemoryEvents } from "../../src/features/events/EventLog.ts"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import { KnowledgeStore } from "../../src/features/knowledge/KnowledgeStore.ts"
import { MemoryUsers, PeopleStore } from "../../src/features/people/PeopleStore.ts"
import { PolicyStore } from "../../src/features/policies/PolicyStore.ts"
import { Profiles } from "../../src/features/profiles/Profiles.ts"
import { ProposalStore } from "../../src/features/proposals/ProposalStore.ts"
import { Records } from "../../src/features/records/Records.ts"
import { WorkspaceStore } from "../../src/features/workspaces/WorkspaceStore.ts"
import * as SignInMemory from "../../src/platform/SignInMemory.ts"
import { Transaction } from "../../src/platform/Transaction.ts"

/** With what they share, which tests look into. */
export const memoryStores = Layer.mergeAll(
  EntityStore.layerMemory,
  EventLog.layerMemory,
  KeyStore.layerMemory,
  KnowledgeStore.layerMemory,
  PeopleStore.layerMemory,
  PolicyStore.layerMemory,
  Profiles.layerMemory,
  ProposalStore.layerMemory,
  Records.layerMemory,
  Transaction.layerMemory,
  WorkspaceStore.layerMemory,
  Idempotency.layerMemory
).pipe(Layer.provideMerge(Layer.mergeAll(MemoryEvents.layer, MemoryUsers.layer, SignInMemory.layerMemory)))
