/** Makes a key on the page of the API: signs in, asks for its scopes and permissions, shows its secret once, and uses it. */
import { credential, useCredential } from "./credential.js"
import { copyable, element } from "./dom.js"
import { ask, at, explain, isFaultless, refusalText, say, sayAtForm, signIn, signOut, submitting } from "./form.js"

/** Chosen at first: a key that reads, over REST, procedures and tools. */
const usual = new Set(["hub-protocol.read", "mcp.read"])

/** The sign-in, and the id of the last key that was made. Kept here and nowhere else. */
let token
let keyId

const scopeBox = (scope, count) =>
  element(
    "label",
    {},
    element("input", { type: "checkbox", name: "scope", value: scope, checked: usual.has(scope) }),
    element("code", {}, scope),
    element("small", {}, `opens ${count}`)
  )

/** Only scopes that something here needs; the others would open nothing. */
const showScopes = (scopes, entries) => {
  const counted = scopes.map((scope) => ({
    scope,
    count: entries.filter(({ operation }) => operation["x-pod-scope"] === scope).length
  }))
  at("scopes").append(...counted.filter(({ count }) => count > 0).map(({ scope, count }) => scopeBox(scope, count)))
}

/** Procedures of a sign-in answer their value inside `result`, and their refusal inside `error`. */
const mutate = async (name, input) => {
  const { answer, isOk } = await ask("POST", `trpc/${name}`, input, token)
  return isOk ? { isOk, answer: answer.result.data } : { isOk, answer: { ...answer.error.data, ...answer.error } }
}

const enter = async () => {
  const email = at("email").value
  const password = at("password").value
  say("email", email.trim() === "" ? "Enter the address you sign in with." : "")
  say("password", password === "" ? "Enter your password." : "")
  if (!isFaultless()) return
  const { answer, isOk } = await signIn(email, password)
  if (!isOk) return sayAtForm(refusalText(answer), "sign-in-problem")
  token = answer.token
  at("sign-in").reset()
  at("sign-in").hidden = true
  at("make-key").hidden = false
  at("signed-in").textContent =
    `Signed in as ${answer.user.email}. The forms below send this sign-in until you make a key.`
  useCredential("session", token)
  at("key-name").focus()
}

const leave = async () => {
  const ended = token
  token = undefined
  if (credential.secret === ended) useCredential("bearer", "")
  at("make-key").hidden = true
  at("new-key").hidden = true
  at("new-key-secret").replaceChildren()
  at("sign-in").hidden = false
  at("email").focus()
  await signOut(ended)
}

/** What the pod found wrong with a part of the order, beside the field it is about. */
const fieldOf = (path) =>
  path.startsWith("scope")
    ? "key-scopes"
    : path.startsWith("grant")
      ? "key-permissions"
      : path === "keyName"
        ? "key-name"
        : undefined

const make = async () => {
  const keyName = at("key-name").value.trim()
  const scope = [...document.querySelectorAll("#scopes input:checked")].map(({ value }) => value)
  const permissions = at("key-permissions")
    .value.split(/[\s,]+/)
    .filter(Boolean)
  say("key-name", keyName === "" ? "Give it a name." : "")
  say("key-scopes", scope.length === 0 ? "Choose one at least." : "")
  say("key-permissions", permissions.length === 0 ? "Name one at least, or *." : "")
  if (!isFaultless()) return
  const expiresInDays = Number(at("key-days").value)
  const order = { keyName, scope, grant: { permissions }, expiresInDays }
  const { answer, isOk } = await mutate("apiKeys.create", order)
  if (!isOk) {
    const fields = Object.fromEntries((answer.details ?? []).map(({ path }) => [path, fieldOf(path)]))
    return explain(answer, fields, "make-key-problem")
  }
  keyId = answer.id
  const ends = new Date(answer.expiresAt).toLocaleDateString()
  at("new-key-told").textContent =
    `It is shown once: copy it where you need it. The forms below send it now. It works until ${ends}.`
  at("new-key-secret").replaceChildren(copyable(answer.key, "the key").node)
  at("revoke-key").hidden = false
  at("new-key").hidden = false
  useCredential("bearer", answer.key)
  at("new-key").focus()
}

const revoke = async () => {
  const { answer, isOk } = await mutate("apiKeys.revoke", { keyId })
  if (!isOk) return sayAtForm(refusalText(answer), "make-key-problem")
  at("new-key-secret").replaceChildren()
  at("revoke-key").hidden = true
  at("new-key-told").textContent = "The key is revoked. The forms below send your sign-in again."
  useCredential("session", token)
  at("new-key").focus()
}

/** `scopes`: those that a key may have; `entries`: all that the page lists. */
export const offerKeys = (scopes, entries) => {
  showScopes(scopes, entries)
  at("sign-in").addEventListener("submit", submitting(at("sign-in-button"), enter, "sign-in-problem"))
  at("make-key").addEventListener("submit", submitting(at("make-key-button"), make, "make-key-problem"))
  at("revoke-key").addEventListener("click", submitting(at("revoke-key"), revoke, "make-key-problem"))
  at("sign-out").addEventListener("click", submitting(at("sign-out"), leave, "sign-in-problem"))
}
