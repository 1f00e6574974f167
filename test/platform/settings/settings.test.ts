/** The refusal of wrong settings: all problems are reported at once, and no secret is shown. */
import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { report } from "../../../src/platform/settings/SettingsReport.ts"
import { acceptedSettings, namesOf, refusedSettings, settingRows } from "../../support/settings.ts"

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
  POD_NAME: "two\nlines",
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
  it("the pod reports the wrong values of all settings together, in the order of the settings table", () => {
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
    assert.include(text, "67 settings are wrong")
    // The report names the command as the person called it: `pod`, or `npx pod` under npx and npm start.
    vi.stubEnv("npm_lifecycle_event", undefined)
    const one = report(refusedSettings({}, { dotenv: "# mine\nPOD_PORT=many" }))
    vi.unstubAllEnvs()
    assert.strictEqual(
      one,
      [
        "1 setting is wrong. Nothing was started.",
        "",
        "  POD_PORT  (from .env line 2)",
        "    must be a whole number from 0 to 65535 (0 picks a free one)",
        "    Fix: set POD_PORT=8787",
        "",
        "All settings: pod config list   this check: pod config check",
        "Every setting is described in docs/configuration.md."
      ].join("\n")
    )
  })

  it("a setting is refused if its variable and its `_FILE` variable are set, even if one is in the environment and the other in .env", () => {
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

  it("the pod refuses issuers without an audience, and accepts an audience without issuers", () => {
    assert.deepStrictEqual(namesOf(refusedSettings({ POD_OIDC_ISSUERS: "https://id.example.com" })), [
      "POD_OIDC_AUDIENCE"
    ])
    assert.deepStrictEqual(acceptedSettings({ POD_OIDC_AUDIENCE: "https://pod.example.com" }).warnings, [])
  })

  it("the metrics cannot have the port of the pod itself, unless the system chooses both ports", () => {
    const invalid = refusedSettings({ POD_METRICS_PORT: "8787" })
    assert.deepStrictEqual(namesOf(invalid), ["POD_METRICS_PORT"])
    assert.include(report(invalid), "must not be the same port as POD_PORT")
    assert.deepStrictEqual(acceptedSettings({ POD_PORT: "0", POD_METRICS_PORT: "0" }).warnings, [])
  })

  it("the pod refuses production mode on an address that other machines can reach if there is no public URL", () => {
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
