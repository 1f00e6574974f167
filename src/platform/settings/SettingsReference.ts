/** Writes `.env.example` and the configuration page from the table of settings. */
import { exitCodeTable } from "../ExitCodes.ts"
import { type Setting, settingAreas } from "./Setting.ts"
import { settingsTable } from "./Settings.ts"

const settings: ReadonlyArray<Setting<unknown>> = Object.values(settingsTable)

const byArea = settingAreas.map((area) => ({ area, members: settings.filter((setting) => setting.area === area) }))

const exampleLines = (setting: Setting<unknown>): ReadonlyArray<string> => [
  "",
  `# ${setting.doc}`,
  `# Allowed: ${setting.allowed}.`,
  ...(setting.whenAbsent === setting.example ? [] : [`# When not set: ${setting.whenAbsent}.`]),
  setting.isSecret
    ? `#${setting.name}_FILE=/run/secrets/${setting.name.toLowerCase()}`
    : `#${setting.name}=${setting.example}`
]

/** The text of `.env.example`. Every line is a comment, so that a copy changes nothing until somebody edits it. */
export const renderEnvExample = (): string =>
  [
    "# Settings of the pod. Copy to .env and remove the # of the lines to change; the environment wins over this file.",
    "# Every name also exists with _FILE at its end, to read the value from a file.",
    "# Made from src/platform/settings/Settings.ts; edit there.",
    ...byArea.flatMap(({ area, members }) => ["", "", `# ${area}`, ...members.flatMap(exampleLines)]),
    ""
  ].join("\n")

/** Escapes the vertical bar, because it would end a cell of the table. */
const cell = (text: string): string => text.replaceAll("|", "\\|")

const row = (setting: Setting<unknown>): string => {
  const aliases = setting.aliases.map((alias) => `, also \`${alias}\``).join("")
  const absent =
    setting.defaultText._tag === "Some" && setting.defaultText.value !== ""
      ? `\`${setting.whenAbsent}\``
      : setting.whenAbsent
  const meaning = setting.isSecret ? `${setting.doc} Secret: never shown.` : setting.doc
  return `| \`${setting.name}\`${aliases} | ${cell(absent)} | ${cell(setting.allowed)} | ${setting.since} | ${cell(meaning)} |`
}

/** Returns the text of `docs/configuration.md`. */
export const renderReference = (): string =>
  [
    "# Configuration",
    "",
    "This page is made from `src/platform/settings/Settings.ts`; edit there.",
    "",
    "A setting is an environment variable. No setting is required to start a pod on one machine.",
    "",
    "- **Where from**: the environment, then the file `.env` in the working directory, then the default. An empty value means not set, and an empty value in the environment also switches off the line in `.env`.",
    "- **From a file**: every name also exists with `_FILE` at its end. The file holds the value; one newline at its end is not part of it. Setting both forms is an error.",
    "- **As a credential of systemd**: if `CREDENTIALS_DIRECTORY` is set (`LoadCredential=` sets it), a file of this directory that has the name of a setting contains its value. Giving the same setting in the environment, in `.env` or with `_FILE` too is an error.",
    "- **Other names**: a name after “also” in a table can be used instead, also with `_FILE` at its end. If both names are set, the first name of the row wins. `POD_METRICS` and `POD_WEBHOOK_ALLOW_PRIVATE`, which other servers have, do not exist here: metrics need a port (`POD_METRICS_PORT`) or a token (`POD_METRICS_TOKEN`), and webhooks may call the private addresses of a list (`POD_WEBHOOK_ALLOW`), never all of them.",
    "- **Forms**: durations `30s`, `15m`, `12h`, `7d`; sizes `512kb`, `10mb` (1 kb is 1024 bytes); yes or no as `true`, `false`, `1` or `0`; lists with commas.",
    '- **`.env`**: lines of `NAME=value`, optionally after `export`. `#` begins a comment at the start of a line or after a space. Single quotes keep everything as written; in double quotes, `\\n`, `\\r`, `\\t`, `\\"`, `\\$` and `\\\\` stand for the usual characters. Variables are not expanded, and a value stays on one line.',
    "- **Mistakes**: before anything starts, the pod reports all mistakes together, each with its source. No report shows a value. For an unknown `POD_` name, the pod only prints a warning.",
    ...byArea.flatMap(({ area, members }) => [
      "",
      `## ${area}`,
      "",
      "| Name | When not set | Allowed | Since | Meaning |",
      "| --- | --- | --- | --- | --- |",
      ...members.map(row)
    ]),
    "",
    "## Settings that depend on each other",
    "",
    "- `POD_OWNER_EMAIL` and one of `POD_OWNER_PASSWORD` and `POD_OWNER_PASSWORD_HASH` are set together or not at all.",
    "- `POD_OIDC_ISSUERS` needs `POD_OIDC_AUDIENCE`. `POD_METRICS_PORT` is another port than `POD_PORT`.",
    "- `POD_MODE=production` with a `POD_HOST` other than loopback needs `POD_PUBLIC_URL`. Without it the pod would have to trust the `Host` header, which every caller chooses, for its links.",
    "- A `POD_HOST` other than loopback, a public URL without https, and a `POD_TRUST_PROXY` that trusts every address are allowed, but the pod prints a warning at every start. It also warns of a setting that has no effect beside the others, and of a line of `.env` that a later line overrides.",
    "",
    "## Exit codes",
    "",
    "| Code | Name | Meaning |",
    "| --- | --- | --- |",
    ...Object.entries(exitCodeTable).map(([name, { code, meaning }]) => `| ${code} | \`${name}\` | ${meaning} |`),
    ""
  ].join("\n")
