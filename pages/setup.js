/** Makes the first owner: takes the token out of the address, asks who it is, and exchanges both. */
import { copyable } from "./dom.js"
import { at, isFaultless, passwordFault, say, sayAtForm } from "./form.js"

const states = ["no-token", "claim", "used", "owned", "done"]

const show = (state) => {
  for (const id of states) at(id).hidden = id !== state
  at(state).focus()
}

let token = ""

/** The token leaves the address at once: not in the history, not in a screenshot, not in a shared link. */
const takeToken = () => {
  const given = location.hash.slice(1)
  if (given !== "") history.replaceState(null, "", location.pathname)
  return given
}

/** What can be told without asking the pod. The pod judges again. */
const isComplete = ({ email, password }) => {
  say("email", email === "" ? "Enter the address you will sign in with." : "")
  say("password", passwordFault(password))
  return isFaultless()
}

const base = new URL(".", document.baseURI).href.replace(/\/$/, "")

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** `read` keeps the password out of the shell's history, `sed` makes a JSON text of it. Nothing but curl is needed. */
const signInCommand = (email) =>
  [
    "printf 'Password: '; read -rs POD_PASSWORD",
    String.raw`POD_PASSWORD=$(printf %s "$POD_PASSWORD" | sed 's/[\\"]/\\&/g')`,
    `POD_TOKEN=$(printf '{"email":%s,"password":"%s"}' ${quoted(JSON.stringify(email))} "$POD_PASSWORD" |`,
    `  curl -s ${quoted(`${base}/auth/sign-in`)} -H 'Content-Type: application/json' -d @- |`,
    String.raw`  sed 's/.*"token":"\([^"]*\)".*/\1/')`
  ].join("\n")

const keyCommand = () =>
  [
    `curl -s ${quoted(`${base}/trpc/apiKeys.create`)} \\`,
    `  -H "X-Session-Token: $POD_TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '{"keyName":"my first key","scope":["hub-protocol.read","mcp.read"],"grant":{"permissions":["entity.read"]}}'`
  ].join("\n")

const finish = (email) => {
  token = ""
  at("sign-in").replaceChildren(copyable(signInCommand(email), "the sign-in commands").node)
  at("make-key").replaceChildren(copyable(keyCommand(), "the command that makes a key").node)
  at("mcp").textContent = `${base}/mcp`
  at("password").value = ""
  show("done")
}

/** Puts what the pod found wrong beside the field it is about. */
const explain = ({ details = [], error }) => {
  const elsewhere = []
  for (const { path, message } of details) {
    if (path === "email" || path === "password") say(path, message)
    else elsewhere.push(message)
  }
  sayAtForm(details.length === 0 ? (error ?? "The pod refused this.") : elsewhere.join(" "))
  document.querySelector("[aria-invalid]")?.focus()
}

const claim = async (person) => {
  const response = await fetch("setup/claim", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, ...person }),
    credentials: "omit"
  })
  const answer = await response.json()
  if (response.ok) finish(person.email)
  else if (answer.code === "ALREADY_CLAIMED") show("owned")
  else if (answer.code === "SETUP_LINK_INVALID") show("used")
  else explain(answer)
}

at("form").addEventListener("submit", async (event) => {
  event.preventDefault()
  const person = { name: at("name").value.trim(), email: at("email").value.trim(), password: at("password").value }
  sayAtForm("")
  if (!isComplete(person)) return
  at("submit").disabled = true
  try {
    await claim(person)
  } catch {
    sayAtForm("The pod did not answer. Is it still running? Nothing is lost: try again.")
  } finally {
    at("submit").disabled = false
  }
})

at("reveal").addEventListener("click", () => {
  const isShown = at("password").type === "text"
  at("password").type = isShown ? "password" : "text"
  at("reveal").textContent = isShown ? "Show" : "Hide"
  at("reveal").setAttribute("aria-pressed", String(!isShown))
})

const begin = () => {
  token = takeToken()
  show(token === "" ? "no-token" : "claim")
}

addEventListener("hashchange", () => {
  if (location.hash.length > 1) begin()
})
begin()
