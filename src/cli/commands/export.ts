/**
 * `pod export`: writes the rows of the pod as lines of text. Another pod can import them, even if its database engine
 * is different.
 */
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { leaf } from "../CommandTree.ts"
import { askForBackup, failureOf, localData, localWork, findRunningEmbedded } from "../LocalWork.ts"
import { findWorkspace, idFrom } from "../Lookups.ts"
import { Output } from "../Output.ts"

export const exportCommand = leaf(
  "export",
  {
    summary:
      "Write all data as lines of JSON. The file has keys as hashes and the vault encrypted, so also move the secrets of the pod: <data>/secrets, or POD_KEY_PEPPER, POD_SESSION_SECRET and POD_ENCRYPTION_KEY.",
    examples: [
      "pod export --out pod.ndjson.gz",
      "pod export --workspace Acme -o acme.ndjson",
      "pod export | gzip > pod.ndjson.gz"
    ]
  },
  {
    out: Options.text("out").pipe(
      Options.withAlias("o"),
      Options.withDescription("The file to write; compressed if its name ends with .gz. Default: standard output."),
      Options.optional
    ),
    workspace: Options.text("workspace").pipe(
      Options.withDescription(
        "Only the rows of this workspace, by id, or by name if the pod runs; without people, keys, webhooks and the vault."
      ),
      Options.optional
    ),
    withoutSecrets: Options.boolean("without-secrets").pipe(
      Options.withDescription("Leave out keys, passwords, sessions, invitations, webhooks and the vault.")
    )
  },
  ({ out, withoutSecrets, workspace }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { progress, settings } = yield* localWork
        const data = yield* localData
        const output = yield* Output
        const target = Option.isSome(out) ? { path: resolve(out.value) } : { output: process.stdout }
        yield* Effect.mapError(data.checkExportTarget(target), failureOf)
        const running = yield* findRunningEmbedded(settings)
        // A running pod finds the workspace by its name, and the command refuses a wrong name before it reads anything.
        const workspaceId =
          Option.isSome(workspace) && Option.isSome(running)
            ? Option.some(yield* idFrom(workspace.value, findWorkspace))
            : workspace
        const scope = Option.isSome(workspaceId)
          ? { kind: "workspace" as const, id: workspaceId.value }
          : { kind: "pod" as const }
        const wish = { target, scope, withoutSecrets, progress }
        if (Option.isSome(running)) {
          // Only the running pod can read its database files. So the running pod makes a backup, and this process reads
          // the backup.
          const folder = yield* Effect.acquireRelease(
            Effect.promise(() => mkdtemp(join(tmpdir(), "pod-export-"))),
            (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
          )
          const { path } = yield* askForBackup(running.value, { folder, keep: 1, withoutSecrets: true })
          yield* Effect.mapError(data.exportBackup(path, wish), failureOf)
        } else yield* Effect.mapError(data.exportData(settings, wish), failureOf)
        if (Option.isSome(out))
          output.data({ file: resolve(out.value) }, { text: ({ file }) => `Exported to ${file}.` })
      })
    )
)
