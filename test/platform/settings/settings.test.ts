/** The refusal of wrong settings: all problems are reported at once, and no secret is shown. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import fc from "fast-check"
import { inspect } from "node:util"
import { report } from "../../../src/platform/settings/SettingsReport.ts"
import { acceptedSettings, namesOf, refusedSettings, settingRows } from "../../support/settings.ts"

const secrets = settingRows.filter(({ isSecret }) => isSecret)

/** One wrong value for every setting. */
const wrongValues: Readonly<Record<string, string>> = {
  POD_HOST: "http://pod.example.com:8787",
  POD_PORT: "65536",
  POD_PUBLIC_URL: "pod.example.com",
  POD_ADMIN_PATH: "/mcp",
  POD_STOP_GRACE: "2m",
  POD_METRICS_PORT: "http",
  POD_METRICS_TOKEN: "too short",
  POD_METRICS_HOST: "a host",
  POD_MODE: "prod",
  POD_CORS_ORIGINS: "https://app.example.com,*",
  POD_TRUST_PROXY: "10.0.0.0/33",
  POD_DATA_DIR: "~/pod",
  POD_DATABASE_URL: "mysql://localhost/pod",
  POD_DATABASE_POOL_MAX: "1",
  POD_DURABILITY: "fsync",
  POD_BACKUP_DIR: "~/backups",
  POD_BACKUP_EVERY: "1s",
  POD_BACKUP_KEEP: "0",
  POD_BACKUP_BEFORE_MIGRATION: "maybe",
  POD_SEED: "everything",
  POD_OPEN_BROWSER: "firefox",
  POD_OWNER_EMAIL: "owner",
  POD_OWNER_PASSWORD: "too short",
  POD_OWNER_PASSWORD_HASH: "correct horse battery staple",
  POD_SESSION_TTL: "14",
  POD_KEY_PEPPER: "pepper",
  POD_SESSION_SECRET: "0123456789abcdef".repeat(4),
  POD_ENCRYPTION_KEY: "short",
  POD_NEW_SECRETS: "perhaps",
  POD_PROVISIONING_TOKEN: "too short",
  POD_OIDC_ISSUERS: "id.example.com",
  POD_OIDC_AUDIENCE: "x".repeat(501),
  POD_RATE_LIMIT: "0",
  POD_BODY_LIMIT: "10 mb",
  POD_SCOPED_RETRIEVAL: "yes",
  POD_WEBHOOK_ALLOW: "10.0.0.0/33",
  POD_WEBHOOK_TIMEOUT: "2m",
  POD_SEARCH_MEMORY: "all",
  POD_BATCH_LIMIT: "2e1",
  POD_LLM_URL: "api.example.com/v1",
  POD_LLM_MODEL: "a small model",
  POD_LLM_KEY: "two words",
  POD_LLM_TIMEOUT: "0s",
  POD_LLM_DAILY_TOKENS: "1e6",
  POD_LLM_PROMPT_TOKENS: "999",
  POD_EMBEDDING_URL: "api.example.com/v1",
  POD_EMBEDDING_MODEL: "a small model",
  POD_EMBEDDING_KEY: "two words",
  POD_EMBEDDING_TIMEOUT: "0s",
  POD_EMBEDDING_DIMENSIONS: "0",
  POD_EMBEDDING_PERCENT: "101",
  POD_EMBEDDING_DAILY_TOKENS: "1e6",
  POD_LOG_LEVEL: "verbose",
  POD_LOG_FORMAT: "text",
  OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "grpc://localhost:4317",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=of two\nlines",
  OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
  OTEL_SDK_DISABLED: "maybe",
  OTEL_TRACES_EXPORTER: "console",
  OTEL_SERVICE_NAME: "x".repeat(201),
  OTEL_RESOURCE_ATTRIBUTES: "production",
  OTEL_TRACES_SAMPLER: "often",
  OTEL_TRACES_SAMPLER_ARG: "2",
  OTEL_BSP_SCHEDULE_DELAY: "5s",
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "0"
}

/** More values that almost look right, with the setting that refuses them. */
const nearMisses: ReadonlyArray<readonly [string, string]> = [
  ["POD_HOST", "999.1.1.1"],
  ["POD_HOST", "0.0.0.0:8787"],
  ["POD_PORT", "-1"],
  ["POD_PORT", "0x50"],
  ["POD_PORT", "tcp://10.0.0.1:80"],
  ["POD_PUBLIC_URL", "ftp://pod.example.com"],
  ["POD_PUBLIC_URL", "https://someone:word@pod.example.com"],
  ["POD_PUBLIC_URL", "https://pod.example.com/?a=1"],
  ["POD_CORS_ORIGINS", "https://app.example.com/page"],
  ["POD_CORS_ORIGINS", "null"],
  ["POD_TRUST_PROXY", "10.0.0.1/"],
  ["POD_TRUST_PROXY", "proxy.example.com"],
  ["POD_SESSION_TTL", "366d"],
  ["POD_SESSION_TTL", "4m"],
  ["POD_SESSION_TTL", "1.5h"],
  ["POD_SESSION_TTL", "7constructor"],
  ["POD_BODY_LIMIT", "1gb"],
  ["POD_BODY_LIMIT", "1048576"],
  ["POD_KEY_PEPPER", "a".repeat(64)],
  ["POD_KEY_PEPPER", "change me please, this is only an example value"]
]

describe("settings that are refused", () => {
  it("the wrong values of all settings are reported at once, in the order of the settings table", () => {
    const invalid = refusedSettings(wrongValues)
    assert.deepStrictEqual(
      namesOf(invalid),
      settingRows.map(({ name }) => name)
    )
    for (const problem of invalid.problems) assert.strictEqual(problem.source, "environment")
  })

  it.each(nearMisses)("in the settings of the pod, %s cannot have the value %s", (name, value) => {
    assert.include(namesOf(refusedSettings({ [name]: value })), name)
  })

  it("the report of a wrong setting contains the name of its variable, the allowed values, a correction and where the value came from", () => {
    const text = report(refusedSettings(wrongValues, { dotenv: "# mine\nPOD_MODE=prod" }))
    for (const { allowed, fix, name } of settingRows) {
      for (const part of [name, allowed, fix]) assert.include(text, part)
    }
    assert.include(text, "66 settings are wrong")
    const one = report(refusedSettings({}, { dotenv: "# mine\nPOD_PORT=many" }))
    assert.strictEqual(
      one,
      [
        "1 setting is wrong. Nothing was started.",
        "",
        "  POD_PORT  (from .env line 2)",
        "    must be a whole number from 0 to 65535 (0 picks a free one)",
        "    Fix: set POD_PORT=8787",
        "",
        "Every setting is described in docs/configuration.md."
      ].join("\n")
    )
  })

  it("a setting cannot be given both by its own variable and by its variable that ends with _FILE, even in different places", () => {
    const files = { "/secrets/level": "info" }
    for (const { name } of settingRows) {
      const both = { [name]: "anything", [`${name}_FILE`]: "/secrets/level" }
      const problem = refusedSettings(both, { files }).problems.find((found) => found.name === name)
      assert.strictEqual(problem?.rule, `must not be set together with ${name}_FILE`)
    }
    const apart = refusedSettings({ POD_LOG_LEVEL_FILE: "/secrets/level" }, { files, dotenv: "POD_LOG_LEVEL=info" })
    assert.strictEqual(apart.problems[0]?.source, ".env line 1 and environment")
  })

  it("if the file of a setting is empty or cannot be read, the setting is refused, and the message contains the name of its variable", () => {
    const given = { files: { "/secrets/empty": "\n" } }
    const invalid = refusedSettings(
      { POD_KEY_PEPPER_FILE: "/secrets/gone", POD_DATABASE_URL_FILE: "/secrets/empty" },
      given
    )
    assert.deepStrictEqual(namesOf(invalid), ["POD_DATABASE_URL_FILE", "POD_KEY_PEPPER_FILE"])
    assert.include(invalid.problems[0]?.rule, "empty")
    assert.include(invalid.problems[1]?.rule, "no such file")
    assert.notInclude(report(invalid), "/secrets")
  })

  it("if the file of a setting contains a wrong value, the setting is refused, and the message does not show the content of the file", () => {
    const invalid = refusedSettings({ POD_PORT_FILE: "/port" }, { files: { "/port": "eighty\n" } })
    assert.strictEqual(invalid.problems[0]?.source, "the file in POD_PORT_FILE, environment")
    assert.notInclude(report(invalid), "eighty")
  })

  it("the e-mail address and the password of the owner must be set together", () => {
    assert.deepStrictEqual(namesOf(refusedSettings({ POD_OWNER_EMAIL: "owner@example.com" })), ["POD_OWNER_PASSWORD"])
    assert.deepStrictEqual(namesOf(refusedSettings({ POD_OWNER_PASSWORD: "correct horse battery" })), [
      "POD_OWNER_EMAIL"
    ])
    const unreadable = refusedSettings({ POD_OWNER_EMAIL: "owner@example.com", POD_OWNER_PASSWORD_FILE: "/gone" })
    assert.deepStrictEqual(namesOf(unreadable), ["POD_OWNER_PASSWORD_FILE"])
  })

  it("the address of a model service and the name of its model must be set together", () => {
    const url = "https://models.example.com/v1"
    for (const service of ["POD_LLM", "POD_EMBEDDING"]) {
      assert.deepStrictEqual(namesOf(refusedSettings({ [`${service}_URL`]: url })), [`${service}_MODEL`])
      for (const name of ["MODEL", "KEY"]) {
        assert.deepStrictEqual(namesOf(refusedSettings({ [`${service}_${name}`]: "small" })), [`${service}_URL`])
      }
    }
  })

  it("production mode on an address that other machines can reach is refused without a public URL", () => {
    const exposed = { POD_MODE: "production", POD_HOST: "0.0.0.0" }
    assert.deepStrictEqual(namesOf(refusedSettings(exposed)), ["POD_PUBLIC_URL"])
    assert.strictEqual(refusedSettings({ ...exposed, POD_PUBLIC_URL: "nonsense" }).problems.length, 1)
    for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"]) {
      assert.deepStrictEqual(acceptedSettings({ ...exposed, POD_HOST: host }).warnings, [])
    }
  })

  it("the pod refuses a line of .env without a closing quote if the line sets a setting of the pod, and otherwise gives a warning", () => {
    const invalid = refusedSettings({}, { dotenv: 'OTHER="open\nPOD_OWNER_PASSWORD="open sesame' })
    assert.include(namesOf(invalid), "POD_OWNER_PASSWORD")
    assert.include(report(invalid), ".env line 1 is ignored")
    assert.notInclude(report(invalid), "sesame")
  })
})

describe("secrets in settings", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ABCDEFGHJKQXZ5679!%".split("")), minLength: 7, maxLength: 11 })
  const shownBy = (value: unknown) =>
    [String(value), JSON.stringify(value), inspect(value, { depth: 12, showHidden: true })].join("\n")

  it.prop(
    "the message about a wrong setting never shows its value, wherever the value came from",
    [letters],
    ([value]) => {
      const direct = Object.fromEntries(settingRows.map(({ name }) => [name, value]))
      const fileNames = Object.fromEntries(settingRows.map(({ name }) => [`${name}_FILE`, "/secret"]))
      const dotenv = settingRows.map(({ name }) => `${name}='${value}'`).join("\n")
      const outcomes = [
        refusedSettings(direct),
        refusedSettings({}, { dotenv }),
        refusedSettings({}, { dotenv: dotenv.replaceAll("'\n", "\n") }),
        refusedSettings(fileNames, { files: { "/secret": value } }),
        refusedSettings(Object.fromEntries(settingRows.map(({ name }) => [`${name}_FILE`, value]))),
        refusedSettings({ ...direct, ...fileNames }, { files: { "/secret": value } }),
        refusedSettings({ PORT: value, DATABASE_URL: value, LOG_LEVEL: value })
      ]
      for (const invalid of outcomes) {
        assert.notInclude(report(invalid), value)
        assert.notInclude(shownBy(invalid), value)
      }
    }
  )

  it.prop(
    "the loaded settings never show a valid secret when they are printed",
    [fc.uint8Array({ minLength: 48, maxLength: 48 })],
    ([bytes]) => {
      fc.pre(new Set(bytes).size >= 16)
      const value = Buffer.from(bytes).toString("base64url")
      const url = `postgres://pod:${value}@localhost/pod`
      const loaded = acceptedSettings({
        ...Object.fromEntries(secrets.map(({ name }) => [name, value])),
        POD_DATABASE_URL: url,
        POD_OWNER_PASSWORD_HASH: undefined, // the hash has a form of its own, and replaces the password
        POD_OWNER_EMAIL: "owner@example.com",
        POD_LLM_URL: "https://models.example.com/v1",
        POD_LLM_MODEL: "small",
        POD_EMBEDDING_URL: "https://models.example.com/v1",
        POD_EMBEDDING_MODEL: "small"
      })
      assert.notInclude(shownBy(loaded), value)
      assert.strictEqual(
        Option.getOrThrow(Option.map(loaded.settings.sessionSecret, ([first]) => Redacted.value(first))),
        value
      )
      assert.strictEqual(Option.getOrThrow(Option.map(loaded.settings.databaseUrl, Redacted.value)), url)
    }
  )

  it("when a pod reads a secret from a file, it removes one newline at the end and changes nothing else", () => {
    for (const end of ["\n", "\r\n", ""]) {
      const { settings } = acceptedSettings(
        { POD_OWNER_PASSWORD_FILE: "/password", POD_OWNER_EMAIL: "owner@example.com" },
        { files: { "/password": ` spaced # out \n${end}` } }
      )
      const password = Option.map(settings.ownerPassword, Redacted.value)
      assert.deepStrictEqual(password, Option.some(end === "" ? " spaced # out " : " spaced # out \n"))
    }
  })
})

describe("settings in systemd credentials", () => {
  const environment = { CREDENTIALS_DIRECTORY: "/run/credentials/pod" }
  const credentialFile = (name: string, value: string) => ({ files: { [`/run/credentials/pod/${name}`]: value } })

  it("a systemd credential can contain a setting of the pod, and one newline at the end of the credential is removed", () => {
    const { settings, sourceOf } = acceptedSettings(environment, credentialFile("POD_PORT", "9001\n"))
    assert.strictEqual(settings.port, 9001)
    assert.strictEqual(sourceOf["POD_PORT"], "the credentials directory")
  })

  it("a setting that is in a systemd credential is refused if it is also in a variable or in a file that a variable refers to", () => {
    const port = credentialFile("POD_PORT", "9001")
    const rules = (given: Readonly<Record<string, string>>, dotenv?: string) =>
      refusedSettings({ ...environment, ...given }, { ...port, ...(dotenv === undefined ? {} : { dotenv }) }).problems
    for (const [problem] of [rules({ POD_PORT: "9002" }), rules({}, "POD_PORT=9002")]) {
      assert.strictEqual(problem?.rule, "must not be set together with the credential POD_PORT")
    }
    assert.include(rules({ POD_PORT_FILE: "/port" })[0]?.rule, "the credential POD_PORT")
  })

  it("the pod accepts a _FILE variable that contains the path of the systemd credential of the same setting", () => {
    const named = { ...environment, POD_PORT_FILE: "/run/credentials/pod/POD_PORT" }
    assert.strictEqual(acceptedSettings(named, credentialFile("POD_PORT", "9001")).settings.port, 9001)
  })

  it("an empty systemd credential is refused, and without a credential the setting has its default", () => {
    assert.include(refusedSettings(environment, credentialFile("POD_PORT", " \n")).problems[0]?.rule, "it is empty")
    assert.strictEqual(acceptedSettings(environment).settings.port, 8787)
  })
})

describe("the owner's password hash in the settings", () => {
  const hash = `${"0a".repeat(16)}:${"1b".repeat(64)}`
  const email = { POD_OWNER_EMAIL: "owner@example.com" }

  it("the owner's password hash can be set instead of the password, and if both are set, the pod refuses the settings", () => {
    const { settings } = acceptedSettings({ ...email, POD_OWNER_PASSWORD_HASH: hash })
    assert.deepStrictEqual(Option.map(settings.ownerPasswordHash, Redacted.value), Option.some(hash))
    const both = { ...email, POD_OWNER_PASSWORD_HASH: hash, POD_OWNER_PASSWORD: "correct horse battery" }
    assert.deepStrictEqual(namesOf(refusedSettings(both)), ["POD_OWNER_PASSWORD_HASH"])
    assert.deepStrictEqual(namesOf(refusedSettings({ POD_OWNER_PASSWORD_HASH: hash })), ["POD_OWNER_EMAIL"])
  })

  it("the setting for the owner's password hash refuses every text that is not a hash, and the message says which command makes a hash", () => {
    for (const wrong of ["correct horse battery", "$2b$12$abc", hash.toUpperCase(), hash.slice(1)]) {
      const [problem] = refusedSettings({ ...email, POD_OWNER_PASSWORD_HASH: wrong }).problems
      assert.strictEqual(problem?.rule, "must be a line that pod owner hash-password has printed")
      assert.strictEqual(problem?.fix, "make one with: pod owner hash-password")
    }
  })
})
