/** `pod import`: brings the rows of an export into the pod on this machine. The pod must not run during the import. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { resolve } from "node:path"
import { badUsage } from "../CliFailure.ts"
import { leafThatAsks } from "../CommandTree.ts"
import { failureOf, localData, localWork } from "../LocalWork.ts"
import { Globals, startCommand } from "../Globals.ts"
import { Output } from "../Output.ts"

export const importCommand = leafThatAsks(
  "import",
  {
    summary:
      "Import an export into an empty pod, or add its rows to a pod that has data. An empty pod then equals the exported pod. The pod must not run. After an interruption, run the same command again.",
    confirmation: {
      because: "the former values of the replaced rows are lost",
      only: {
        with: "--on-conflict replace",
        when: ({ dryRun, onConflict, undo }) => onConflict === "replace" && !dryRun && !undo
      }
    },
    examples: [
      "pod import pod.ndjson.gz --dry-run",
      "pod import pod.ndjson.gz",
      "pod import acme.ndjson --on-conflict skip",
      "pod import --undo"
    ]
  },
  {
    file: Args.text({ name: "file" }).pipe(Args.withDescription("A file that pod export made."), Args.optional),
    dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Check the file, and count what would change.")),
    onConflict: Options.choice("on-conflict", ["skip", "replace", "fail"]).pipe(
      Options.withDescription("What to do with rows that the pod already has."),
      Options.withDefault("fail" as const)
    ),
    undo: Options.boolean("undo").pipe(Options.withDescription("Remove the data of an import that was interrupted."))
  },
  Effect.fnUntraced(function* ({ dryRun, file, onConflict, undo }, ask) {
    const globals = yield* Globals
    const { progress, settings } = yield* localWork
    const data = yield* localData
    const output = yield* Output
    if (undo) {
      const undone = yield* Effect.mapError(data.undoImportOf(settings), failureOf)
      return output.data(
        { undone },
        { text: () => (undone ? "The unfinished import is removed." : "There is no unfinished import.") }
      )
    }
    if (Option.isNone(file)) return yield* badUsage("`pod import` needs a file.", "See pod import --help.")
    const path = resolve(file.value)
    yield* ask(`Replace rows of this pod by the rows of ${path}?`)
    const report = yield* Effect.mapError(
      data.importData(settings, { path, isDryRun: dryRun, onConflict, progress }),
      failureOf
    )
    output.data(report, {
      text: ({ added, hash, kind, replaced, skipped }) =>
        kind === "filled"
          ? `${dryRun ? "Would import" : "Imported"} ${added} rows; the state hash is ${hash.slice(0, 12)}….${dryRun || report.needsSecrets ? "" : ` Start the pod: ${startCommand(globals)}`}`
          : `${dryRun ? "Would add" : "Added"} ${added} rows, ${dryRun ? "replace" : "replaced"} ${replaced}, ${dryRun ? "skip" : "skipped"} ${skipped}.`
    })
    if (report.needsSecrets && !dryRun) {
      output.note(
        `Before the start, put the secrets of the exported pod into ${settings.dataDir}/secrets, or set POD_KEY_PEPPER, POD_SESSION_SECRET and POD_ENCRYPTION_KEY.`
      )
    }
  })
)
