/** Accepted settings: their meaning, the order of their sources, and the warnings about them. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { report } from "../../../src/platform/settings/SettingsReport.ts"
import { acceptedSettings, aSettings, refusedSettings, settingRows } from "../../support/settings.ts"

describe("values of settings", () => {
  it("the setting of a secret can contain the new and then the former value, and the refusal of an empty, repeated or short value shows no value", () => {
    const [one, other] = [randomBytes(32).toString("base64"), randomBytes(32).toString("hex")]
    for (const name of ["POD_KEY_PEPPER", "POD_SESSION_SECRET", "POD_ENCRYPTION_KEY"]) {
      const { settings } = acceptedSettings({ [name]: `${one}, ${other}` })
      const values = [settings.keyPepper, settings.sessionSecret, settings.encryptionKey].flatMap(Option.toArray).flat()
      assert.deepStrictEqual(values.map(Redacted.value), [one, other])
      for (const wrong of [
        `${one},`,
        `,${one}`,
        `${one},,${other}`,
        `${one},${one}`,
        `${one},${other.slice(2)}`,
        ","
      ]) {
        const { problems } = refusedSettings({ [name]: wrong })
        assert.deepStrictEqual(
          problems.map((problem) => problem.name),
          [name],
          wrong
        )
        assert.notInclude(JSON.stringify(problems), one)
      }
    }
  })

  it("each setting that is not set has its documented default", () => {
    const { settings, sourceOf, warnings } = acceptedSettings({})
    assert.deepStrictEqual(settings, {
      host: "127.0.0.1",
      port: 8787,
      publicUrl: Option.none(),
      adminPath: "/admin",
      stopGraceSeconds: 1,
      metricsPort: Option.none(),
      metricsToken: Option.none(),
      metricsHost: "127.0.0.1",
      mode: "development",
      corsOrigins: [],
      trustProxy: [],
      dataDir: "./data",
      databaseUrl: Option.none(),
      databasePoolMax: 10,
      durability: "process",
      backupDir: Option.none(),
      backupEverySeconds: 86_400,
      backupKeep: 7,
      backupBeforeMigration: "on",
      seed: "none",
      openBrowser: "auto",
      ownerEmail: Option.none(),
      ownerPassword: Option.none(),
      ownerPasswordHash: Option.none(),
      podName: Option.none(),
      sessionSeconds: 14 * 24 * 3600,
      keyPepper: Option.none(),
      sessionSecret: Option.none(),
      encryptionKey: Option.none(),
      newSecrets: "refuse",
      provisioningToken: Option.none(),
      oidcIssuers: [],
      oidcAudience: Option.none(),
      rateLimitPerMinute: 600,
      bodyLimitBytes: 10 * 1024 * 1024,
      scopedRetrieval: "off",
      webhookAllow: [],
      webhookTimeoutSeconds: 15,
      searchMemoryBytes: 1024 ** 3,
      batchLimit: 20,
      languageModelUrl: Option.none(),
      languageModelName: Option.none(),
      languageModelKey: Option.none(),
      languageModelTimeoutSeconds: 60,
      languageModelDailyTokens: Option.none(),
      languageModelPromptTokens: 32_000,
      embeddingUrl: Option.none(),
      embeddingModel: Option.none(),
      embeddingKey: Option.none(),
      embeddingTimeoutSeconds: 30,
      embeddingDimensions: Option.none(),
      embeddingPercent: 20,
      embeddingDailyTokens: Option.none(),
      logLevel: "info",
      logFormat: "auto",
      otlpEndpoint: Option.none(),
      otlpTracesEndpoint: Option.none(),
      otlpHeaders: Option.none(),
      otlpProtocol: "http/protobuf",
      otelDisabled: false,
      otelTracesExporter: "otlp",
      otelServiceName: "pod",
      otelResourceAttributes: [],
      otelSampler: "parentbased_always_on",
      otelSamplerRatio: "1",
      otelBatchMs: 5000,
      otelBatchMax: 512
    })
    assert.deepStrictEqual(warnings, [])
    assert.deepStrictEqual(new Set(Object.values(sourceOf)), new Set(["default"]))
    assert.deepStrictEqual(settings, aSettings())
  })

  it("for every setting, the pod reads the documented text of the default as the default value", () => {
    const written = settingRows.flatMap(({ defaultText, name }) =>
      Option.match(defaultText, { onNone: () => [], onSome: (text) => [[name, text] as const] })
    )
    assert.isAbove(written.length, 10)
    assert.deepStrictEqual(acceptedSettings(Object.fromEntries(written)).settings, aSettings())
  })

  it("the pod reads setting texts such as `12h`, `512KB` and a list with commas as the expected values", () => {
    const { settings } = acceptedSettings({
      POD_HOST: " [::1] ",
      POD_PUBLIC_URL: "https://Pod.Example.com/base/",
      POD_MODE: "Production",
      POD_CORS_ORIGINS: "https://a.example.com/, http://localhost:3000,",
      POD_TRUST_PROXY: "10.0.0.0/8, ::1",
      POD_SESSION_TTL: "12h",
      POD_BODY_LIMIT: "512KB"
    })
    assert.strictEqual(settings.host, "::1")
    assert.deepStrictEqual(settings.publicUrl, Option.some("https://pod.example.com/base"))
    assert.strictEqual(settings.mode, "production")
    assert.deepStrictEqual(settings.corsOrigins, ["https://a.example.com", "http://localhost:3000"])
    assert.deepStrictEqual(settings.trustProxy, ["10.0.0.0/8", "::1"])
    assert.strictEqual(settings.sessionSeconds, 43_200)
    assert.strictEqual(settings.bodyLimitBytes, 524_288)
  })

  it("a language model service can also be set by the variable names of other servers, and its key by the path of a file", () => {
    const { settings, sourceOf, warnings } = acceptedSettings(
      { POD_LLM_BASE_URL: "https://models.example.com/v1", POD_LLM_MODEL: "small", POD_LLM_API_KEY_FILE: "/key" },
      { files: { "/key": "a-key-of-the-service\n" } }
    )
    assert.deepStrictEqual(settings.languageModelUrl, Option.some("https://models.example.com/v1"))
    assert.strictEqual(Redacted.value(Option.getOrThrow(settings.languageModelKey)), "a-key-of-the-service")
    assert.strictEqual(sourceOf["POD_LLM_URL"], "POD_LLM_BASE_URL, environment")
    assert.deepStrictEqual(warnings, [])
  })

  it("a variable that only other servers use causes a warning with the names of the pod's settings for the same purpose", () => {
    const { warnings } = acceptedSettings({ POD_METRICS: "on", POD_WEBHOOK_ALLOW_PRIVATE: "true" })
    assert.deepStrictEqual(warnings, [
      "POD_METRICS is not a setting of the pod; set POD_METRICS_PORT or POD_METRICS_TOKEN.",
      "POD_WEBHOOK_ALLOW_PRIVATE is not a setting of the pod; set POD_WEBHOOK_ALLOW with the addresses that webhooks may call."
    ])
  })

  it("a setting can also have the usual variable name of other tools, and the pod's own name has priority", () => {
    const aliased = acceptedSettings({ PORT: "9000", DATABASE_URL: "postgres://localhost/pod", LOG_LEVEL: "WARN" })
    assert.strictEqual(aliased.settings.port, 9000)
    assert.isTrue(Option.isSome(aliased.settings.databaseUrl))
    assert.strictEqual(aliased.settings.logLevel, "warn")
    assert.strictEqual(aliased.sourceOf["POD_PORT"], "PORT, environment")
    const both = acceptedSettings({ PORT: "9000" }, { dotenv: "POD_PORT=9001" })
    assert.strictEqual(both.settings.port, 9001)
    assert.deepStrictEqual(both.warnings, ["PORT is ignored, because POD_PORT is set."])
  })

  it("the environment has priority over .env, and an empty value in the environment disables the line of .env", () => {
    const dotenv = "POD_PORT=9001\nPOD_BATCH_LIMIT=5\nPOD_LOG_LEVEL=debug"
    const { settings, sourceOf } = acceptedSettings({ POD_PORT: "9000", POD_LOG_LEVEL: "" }, { dotenv })
    assert.strictEqual(settings.port, 9000)
    assert.strictEqual(settings.batchLimit, 5)
    assert.strictEqual(settings.logLevel, "info")
    assert.strictEqual(sourceOf["POD_PORT"], "environment")
    assert.strictEqual(sourceOf["POD_BATCH_LIMIT"], ".env line 2")
    assert.strictEqual(sourceOf["POD_LOG_LEVEL"], "default")
  })
})

describe("warnings about settings", () => {
  it("if the address of a model service on another machine begins with http and not https, the settings cause a warning", () => {
    const at = (url: string) => acceptedSettings({ POD_LLM_URL: url, POD_LLM_MODEL: "small" }).warnings
    assert.include(at("http://models.example.com/v1")[0], "POD_LLM_URL is not https")
    for (const url of ["https://models.example.com/v1", "http://127.0.0.1:11434/v1", "http://localhost:1/v1"]) {
      assert.deepStrictEqual(at(url), [])
    }
  })

  it("an unknown variable that begins with `POD_` causes a warning with the most similar name, and the pod still starts", () => {
    const { warnings } = acceptedSettings(
      { POD_PUBIC_URL: "https://x.example.com", POD_PROT: "1" },
      { dotenv: "POD_COLOUR=red" }
    )
    assert.deepStrictEqual(warnings, [
      "POD_COLOUR is not a setting of the pod.",
      "POD_PROT is not a setting of the pod, did you mean POD_PORT?",
      "POD_PUBIC_URL is not a setting of the pod, did you mean POD_PUBLIC_URL?"
    ])
    assert.include(report(refusedSettings({ POD_PROT: "1", POD_MODE: "prod" })), "did you mean POD_PORT?")
    assert.include(acceptedSettings({ POD_KEY_PEPER_FILE: "/x" }).warnings[0], "did you mean POD_KEY_PEPPER_FILE?")
  })

  it("if no name of a setting is similar to an unknown variable, the warning names no setting", () => {
    for (const name of ["POD_FOO", "POD_DB_URL", "POD_TOKEN"]) {
      assert.deepStrictEqual(acceptedSettings({ [name]: "1" }).warnings, [`${name} is not a setting of the pod.`])
    }
  })

  it("a variable that belongs to another program does not cause a warning", () => {
    assert.deepStrictEqual(
      acceptedSettings({ POD_NAMESPACE: "pods", POD_API_KEY: "k", PATH: "/bin", PODS: "2" }).warnings,
      []
    )
  })

  it("if a setting occurs twice in .env, a warning says which line counts", () => {
    const { settings, warnings } = acceptedSettings({}, { dotenv: "POD_PORT=1\nOTHER=1\nPOD_PORT=2\nOTHER=2" })
    assert.strictEqual(settings.port, 2)
    assert.deepStrictEqual(warnings, [".env line 1 is ignored: POD_PORT is set again in line 3."])
  })

  it("if a setting has no effect beside the other settings, a warning says which setting is the reason", () => {
    const postgres = "postgres://localhost/pod"
    assert.deepStrictEqual(acceptedSettings({ POD_DURABILITY: "wal-sync", POD_DATABASE_URL: postgres }).warnings, [
      "POD_DURABILITY has no effect, because POD_DATABASE_URL is set: PostgreSQL has its own durability."
    ])
    assert.deepStrictEqual(acceptedSettings({ POD_METRICS_HOST: "0.0.0.0" }).warnings, [
      "POD_METRICS_HOST has no effect, because POD_METRICS_PORT is not set."
    ])
    for (const variables of [
      { POD_DATABASE_URL: postgres },
      { POD_DURABILITY: "wal-sync" },
      { POD_METRICS_HOST: "0.0.0.0", POD_METRICS_PORT: "9464" }
    ]) {
      assert.deepStrictEqual(acceptedSettings(variables).warnings, [])
    }
  })

  it("a pod gives a warning if other machines can reach its address, if its public URL is not https, or if it trusts every proxy", () => {
    assert.include(acceptedSettings({ POD_HOST: "0.0.0.0" }).warnings[0], "without TLS")
    const behindProxy = acceptedSettings({ POD_HOST: "::", POD_PUBLIC_URL: "https://pod.example.com" })
    assert.include(behindProxy.warnings[0], "let only the proxy")
    assert.include(acceptedSettings({ POD_PUBLIC_URL: "http://pod.example.com" }).warnings[0], "not https")
    assert.include(acceptedSettings({ POD_TRUST_PROXY: "0.0.0.0/0" }).warnings[0], "POD_TRUST_PROXY")
  })
})
