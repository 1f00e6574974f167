/** The stores behind a workspace's settings, members and making, on every engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("a workspace's parts", contractOf("workspaceChanges"))
