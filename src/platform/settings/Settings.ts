/**
 * Declares every setting of the pod once, in a table. Some areas have a file of their own. The loader, `.env.example`
 * and the reference page are made from this table.
 */
import { optional, secret, secretValues, withDefault, type SettingValue } from "./Setting.ts"
import {
  consolePath,
  addressRange,
  duration,
  emailAddress,
  hostName,
  listOf,
  oneOf,
  passwordHash,
  randomBytes,
  size,
  textWhere,
  webOrigin,
  webUrl,
  wholeNumber
} from "./SettingText.ts"
import { modelSettings } from "./ModelSettings.ts"
import { storageSettings } from "./StorageSettings.ts"
import { isPodName, podNameMax } from "../PodNameText.ts"
import { telemetrySettings } from "./TelemetrySettings.ts"

export const settingsTable = {
  host: withDefault({
    name: "POD_HOST",
    area: "Server",
    schema: hostName,
    default: "127.0.0.1",
    doc: "Address to listen on; 127.0.0.1 accepts calls only from this machine, 0.0.0.0 also from other machines."
  }),
  port: withDefault({
    name: "POD_PORT",
    aliases: ["PORT"],
    area: "Server",
    schema: wholeNumber(0, 65_535, " (0 picks a free one)"),
    default: "8787",
    doc: "Port to listen on."
  }),
  publicUrl: optional({
    name: "POD_PUBLIC_URL",
    area: "Server",
    schema: webUrl,
    example: "https://pod.example.com",
    whenAbsent: "links use localhost, or POD_HOST if localhost does not reach the pod",
    doc: "URL of the pod for people and agents; used for links and for checks of the host."
  }),
  adminPath: withDefault({
    name: "POD_ADMIN_PATH",
    area: "Server",
    schema: consolePath,
    default: "/admin",
    doc: "Path of the console, the pages for people."
  }),
  stopGraceSeconds: withDefault({
    name: "POD_STOP_GRACE",
    area: "Server",
    schema: duration("0s", "60s"),
    default: "1s",
    doc: "How long a stopping pod still accepts requests. Meanwhile /readyz says that the pod is not ready, so that a load balancer and clients with open connections can go elsewhere."
  }),
  metricsPort: optional({
    name: "POD_METRICS_PORT",
    area: "Server",
    schema: wholeNumber(0, 65_535, " (0 picks a free one)"),
    example: "9464",
    whenAbsent: "no metrics",
    doc: "Port for metrics in the format of Prometheus, at /metrics. A reader of the metrics needs no credential, so do not open this port to everybody."
  }),
  metricsToken: secret({
    name: "POD_METRICS_TOKEN",
    area: "Server",
    schema: textWhere("16 to 400 printable characters without spaces", (text) => /^[\x21-\x7e]{16,400}$/.test(text)),
    fix: "set POD_METRICS_TOKEN_FILE to the path of a file with a random text, such as the output of: openssl rand -hex 32",
    whenAbsent: "no metrics on the port of the pod",
    doc: "Token for metrics on the port of the pod, at /metrics, sent in Authorization: Bearer."
  }),
  metricsHost: withDefault({
    name: "POD_METRICS_HOST",
    area: "Server",
    schema: hostName,
    default: "127.0.0.1",
    doc: "Address to listen on for metrics."
  }),
  mode: withDefault({
    name: "POD_MODE",
    area: "Server",
    schema: oneOf("development", "production"),
    default: "development",
    doc: "production: the pod issues live keys and refuses settings that are safe only on one machine."
  }),
  corsOrigins: withDefault({
    name: "POD_CORS_ORIGINS",
    area: "Server",
    schema: listOf("origins separated by commas, such as https://app.example.com", webOrigin),
    default: "",
    example: "https://app.example.com",
    doc: "Other web origins; their pages may call the pod."
  }),
  trustProxy: withDefault({
    name: "POD_TRUST_PROXY",
    area: "Server",
    schema: listOf("addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,::1", addressRange),
    default: "",
    example: "10.0.0.0/8,::1",
    doc: "Proxies that the pod trusts to send forwarding headers; the pod ignores these headers from other addresses."
  }),
  ...storageSettings,
  openBrowser: withDefault({
    name: "POD_OPEN_BROWSER",
    area: "Owner",
    schema: oneOf("auto", "off"),
    default: "auto",
    doc: "auto: a pod without an owner opens its setup page in the browser, if it is started in a terminal on a machine with a screen, and not over SSH, in a container or in CI. off: it opens nothing."
  }),
  ownerEmail: optional({
    name: "POD_OWNER_EMAIL",
    area: "Owner",
    schema: emailAddress,
    example: "owner@example.com",
    whenAbsent: "the setup link creates the owner",
    doc: "E-mail address of the owner. The pod creates the owner on first start, without the setup link; ignored if an owner exists."
  }),
  ownerPassword: secret({
    name: "POD_OWNER_PASSWORD",
    area: "Owner",
    schema: textWhere("12 to 128 characters", (text) => text.length >= 12 && text.length <= 128),
    fix: "choose a longer password, or set POD_OWNER_PASSWORD_FILE to the path of a file with the password",
    whenAbsent: "the setup link creates the owner",
    doc: "Password of the owner; set it together with POD_OWNER_EMAIL."
  }),
  ownerPasswordHash: secret({
    name: "POD_OWNER_PASSWORD_HASH",
    area: "Owner",
    schema: passwordHash,
    fix: "make one with: pod owner hash-password",
    whenAbsent: "POD_OWNER_PASSWORD, or the setup link",
    doc: "Hash of the owner's password, in place of POD_OWNER_PASSWORD, so that no file of the server contains the password."
  }),
  podName: optional({
    name: "POD_NAME",
    area: "Owner",
    schema: textWhere(`1 to ${podNameMax} characters in one line, without invisible ones`, isPodName),
    example: "Harbour office",
    whenAbsent: "the pod has no name",
    doc: "Name of the pod, which everybody sees, also before the sign-in. The pod uses this setting only at the first start, together with POD_OWNER_EMAIL; afterwards the owner changes the name in the console."
  }),
  sessionSeconds: withDefault({
    name: "POD_SESSION_TTL",
    area: "Keys and sessions",
    schema: duration("5m", "365d"),
    default: "14d",
    doc: "How long a person stays signed in."
  }),
  keyPepper: secretValues({
    name: "POD_KEY_PEPPER",
    area: "Keys and sessions",
    schema: randomBytes,
    fix: "make one with: openssl rand -base64 32",
    generated: "key-pepper",
    doc: "Secret part of the hash of every key. To change it, put the new value before the old one, with a comma between them: new keys get the new value, and each existing key gets it at its next use. `pod doctor` says when no key needs the old value. When you remove the old value, keys that were not used after the change stop working. If the old and the new value were never set together, the pod does not start until POD_NEW_SECRETS is accept."
  }),
  sessionSecret: secretValues({
    name: "POD_SESSION_SECRET",
    area: "Keys and sessions",
    schema: randomBytes,
    fix: "make one with: openssl rand -base64 32",
    generated: "session-secret",
    doc: "Secret that signs sessions. To change it, put the new value before the old one, with a comma between them: sessions of both values stay valid. Remove the old value when the sessions that it signed have ended (POD_SESSION_TTL). Without the old value, everybody must sign in again."
  }),
  encryptionKey: secretValues({
    name: "POD_ENCRYPTION_KEY",
    area: "Keys and sessions",
    schema: randomBytes,
    fix: "make one with: openssl rand -base64 32",
    generated: "encryption-key",
    doc: "Key that encrypts the secrets of the vault and the keys of providers. Keep a copy apart from the database. To change it, put the new value before the old one, with a comma between them: the start encrypts every vault with the new value. If no value opens the vault of a person, the person can open it only with their recovery key."
  }),
  newSecrets: withDefault({
    name: "POD_NEW_SECRETS",
    area: "Keys and sessions",
    schema: oneOf("refuse", "accept"),
    default: "refuse",
    doc: "What to do if the pepper, the session secret or the encryption key is not the one that the database was used with. refuse: do not start. accept: use the new secret from now on; existing keys, sessions or stored secrets then stop working."
  }),
  provisioningToken: secret({
    name: "POD_PROVISIONING_TOKEN",
    area: "Keys and sessions",
    schema: textWhere("32 to 512 characters without spaces", (text) => /^[\x21-\x7e]{32,512}$/.test(text)),
    fix: "make one with: openssl rand -hex 32",
    whenAbsent: "agents are set up with keys and trusted issuers only",
    doc: "Secret with which a program sets up the first owner, agents and service keys in the name of the pod's owner (POST /api/hub/setup/…)."
  }),
  oidcIssuers: withDefault({
    name: "POD_OIDC_ISSUERS",
    area: "Keys and sessions",
    schema: listOf("issuer URLs separated by commas, such as https://id.example.com", webUrl),
    default: "",
    example: "https://id.example.com",
    doc: "OpenID issuers that the pod trusts to sign assertions; https, or http on this machine."
  }),
  oidcAudience: optional({
    name: "POD_OIDC_AUDIENCE",
    area: "Keys and sessions",
    schema: textWhere("1 to 500 characters", (text) => text.length >= 1 && text.length <= 500),
    example: "https://pod.example.com",
    whenAbsent: "the pod accepts no assertion",
    doc: "Audience (claim aud) that an assertion must have."
  }),
  rateLimitPerMinute: withDefault({
    name: "POD_RATE_LIMIT",
    area: "Limits",
    schema: wholeNumber(1, 1_000_000),
    default: "600",
    doc: "How many requests one key may send in a minute; the pod answers further requests with 429."
  }),
  bodyLimitBytes: withDefault({
    name: "POD_BODY_LIMIT",
    area: "Limits",
    // at most 100 MB, because a body is held in memory while it is read
    schema: size("1kb", "100mb"),
    default: "10mb",
    doc: "Largest size of a request body; the pod answers a larger body with 413."
  }),
  scopedRetrieval: withDefault({
    name: "POD_SCOPED_RETRIEVAL",
    area: "Limits",
    schema: oneOf("off", "on"),
    default: "off",
    doc: "on: every key may search, and finds only the records that its grant allows to read. off: a key may search only if its grant reads every kind of record, without limits."
  }),
  webhookAllow: withDefault({
    name: "POD_WEBHOOK_ALLOW",
    area: "Limits",
    schema: listOf("addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,::1", addressRange),
    default: "",
    example: "192.168.1.0/24",
    doc: "Private addresses that webhooks may call, such as a receiver in your own network. Without this setting, webhooks may call only public addresses."
  }),
  webhookTimeoutSeconds: withDefault({
    name: "POD_WEBHOOK_TIMEOUT",
    area: "Limits",
    schema: duration("1s", "60s"),
    default: "15s",
    doc: "Longest time of a call to a webhook. If the receiver answers later, the pod calls it again."
  }),
  searchMemoryBytes: withDefault({
    name: "POD_SEARCH_MEMORY",
    area: "Limits",
    schema: size("1mb", "64gb"),
    default: "1gb",
    doc: "Memory for search: one half for the indexes of spaces, one half for the facts of people. If one half is full, the pod removes from memory what was not used for the longest time. If one space needs more than its half, a search does not find everything in it. If the facts of one person need more than their half, the person can store no further facts."
  }),
  batchLimit: withDefault({
    name: "POD_BATCH_LIMIT",
    area: "Limits",
    schema: wholeNumber(1, 1_000),
    default: "20",
    doc: "Largest number of calls in one tRPC batch."
  }),
  ...modelSettings,
  logLevel: withDefault({
    name: "POD_LOG_LEVEL",
    aliases: ["LOG_LEVEL"],
    area: "Logs",
    schema: oneOf("debug", "info", "warn", "error"),
    default: "info",
    doc: "Lowest level of the log entries that the pod writes."
  }),
  logFormat: withDefault({
    name: "POD_LOG_FORMAT",
    area: "Logs",
    schema: oneOf("auto", "pretty", "json"),
    default: "auto",
    doc: "auto writes readable lines on a terminal, and elsewhere one JSON object on each line."
  }),
  ...telemetrySettings
}

/** The typed settings: one field for each row of the table. */
export type SettingsShape = {
  readonly [Field in keyof typeof settingsTable]: SettingValue<(typeof settingsTable)[Field]>
}
