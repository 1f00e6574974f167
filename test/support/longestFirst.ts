/**
 * Sorts the test files so that the slowest files start first. Otherwise a slow file could run alone at the end. The
 * order is the same in a new checkout.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The slowest test files, in the order in which they start. Vitest itself sorts new files by size, but the size says
 * little about the run time.
 */
const longest = [
  "process/dataDirectory.test.ts",
  "cli/withoutServer.test.ts",
  "process/lifecycle.test.ts",
  "doors.test.ts",
  "backups/backups.test.ts",
  "doors/differential.test.ts",
  "process/idempotency.test.ts",
  "process/guide.test.ts",
  "attacks/operatorSocket.test.ts",
  "process/refusedStart.test.ts",
  "transfer/transfer.test.ts",
  "process/revocation.test.ts",
  "console/consoleInbox.test.ts",
  "console/consoleKeys.test.ts",
  "console/webhooksPage.test.ts",
  "cli/cliCommands.test.ts",
  "attacks/blockedWrites.test.ts",
  "console/exploreBrowse.test.ts",
  "features/access/predicates.test.ts",
  "cli/exitCodes.test.ts",
  "console/consoleWorkspaces.test.ts",
  "attacks/impersonation.test.ts",
  "process/kill.test.ts",
  "console/consoleConnections.test.ts",
  "platform/jobs/jobs.test.ts",
  "console/consoleApi.test.ts",
  "attacks/narrowKeys.test.ts",
  "console/strangersPath.test.ts",
  "process/npmStart.test.ts",
  "platform/lanes.test.ts",
  "surfaces/generatedClients.test.ts",
  "platform/signIn.test.ts",
  "features/access/deadCredential.test.ts",
  "attacks/automationReach.test.ts",
  "cli/mcpBridge.test.ts",
  "features/governance/tryingOut.test.ts",
  "cli/pipes.test.ts",
  "process/seed.test.ts",
  "browser/docsCatalog.test.ts",
  "browser/docs.test.ts",
  "browser/layout.test.ts"
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}`))
  return place === -1 ? longest.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
