/** The store of vectors on each engine. */
import { contractOf } from "../../support/contracts.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("vectors of passages", contractOf("vectors"))
