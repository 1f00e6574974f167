/** Makes the first owner: takes the token out of the address, asks who it is, and exchanges both. */
import { copyable } from "./dom.js"
import { ask, at, explain, isFaultless, onToken, passwordFault, revealable, say, show, submitting } from "./form.js"

let token = ""

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

const claim = async () => {
  const person = { name: at("name").value.trim(), email: at("email").value.trim(), password: at("password").value }
  say("email", person.email === "" ? "Enter the address you will sign in with." : "")
  say("password", passwordFault(person.password))
  if (!isFaultless()) return
  const { answer, isOk } = await ask("POST", "setup/claim", { token, ...person })
  if (isOk) finish(person.email)
  else if (answer.code === "ALREADY_CLAIMED") show("owned")
  else if (answer.code === "SETUP_LINK_INVALID") show("used")
  else explain(answer, { email: "email", password: "password" })
}

revealable(at("password"))
at("form").addEventListener("submit", submitting(at("submit"), claim))
onToken((given) => {
  token = given
  show(token === "" ? "no-token" : "claim")
})
