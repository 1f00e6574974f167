/**
 * Sorts the test files so that the slowest files start first. Otherwise a slow file could run alone at the end. The
 * order is the same in a new checkout.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The slowest test files, in the order in which they start. Vitest itself sorts new files by size, but the size says
 * little about the run time. The order mixes files that mostly wait for a database with files that keep a processor
 * busy.
 */
const longest = [
  "cli/withoutServer.test.ts",
  "process/dataDirectory.test.ts",
  "platform/podLanes.test.ts",
  "doors/differential.test.ts",
  "docs/readme.test.ts",
  "platform/jobs/jobs.test.ts",
  "process/lifecycle.test.ts",
  "doors.test.ts",
  "attacks/blockedWrites.test.ts",
  "backups/backups.test.ts",
  "process/podNameAtStart.test.ts",
  "docs/guide.test.ts",
  "process/revocation.test.ts",
  "process/idempotency.test.ts",
  "transfer/transfer.test.ts",
  "process/npmStart.test.ts",
  "process/gracefulStop.test.ts",
  "attacks/operatorSocket.test.ts",
  "attacks/automationReach.test.ts",
  "process/startMessages.test.ts",
  "wire/limits.test.ts",
  "cli/exitCodes.test.ts",
  "cli/cliCommands.test.ts",
  "cli/pipes.test.ts",
  "features/proposals/sequences.test.ts",
  "features/search/searchLaws.test.ts",
  "cli/cliDoctor.test.ts",
  "process/refusedStart.test.ts",
  "platform/signIn.test.ts",
  "features/governance/tryingOut.test.ts",
  "process/logReader.test.ts",
  "cli/mcpBridge.test.ts",
  "process/seed.test.ts",
  "cli/cliMessages.test.ts",
  "docs/generatedClients.test.ts",
  "features/access/deadOperations.test.ts",
  "console/consoleInbox.test.ts",
  "console/consoleKeys.test.ts",
  "console/webhooksPage.test.ts",
  "console/exploreBrowse.test.ts",
  "console/consoleWorkspaces.test.ts",
  "console/consoleConnections.test.ts",
  "console/consoleApi.test.ts",
  "console/strangersPath.test.ts",
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
