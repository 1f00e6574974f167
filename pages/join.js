/** Accepts an invitation: takes the token out of the address, asks who it is, and exchanges both. */
import { ask, at, explain, isFaultless, passwordFault, say, show, submitting } from "./form.js"

let token = ""

/** The token leaves the address at once: not in the history, not in a screenshot, not in a shared link. */
const takeToken = () => {
  const given = location.hash.slice(1)
  if (given !== "") history.replaceState(null, "", location.pathname)
  return given
}

const join = async () => {
  const person = { name: at("name").value.trim(), email: at("email").value.trim(), password: at("password").value }
  say("email", person.email === "" ? "Enter the address you will sign in with." : "")
  say("password", passwordFault(person.password))
  if (!isFaultless()) return
  const { answer, isOk } = await ask("POST", "setup/accept-invite", { token, ...person })
  if (isOk) {
    token = ""
    at("password").value = ""
    at("welcome").textContent = answer.message
    show("done")
  } else if (answer.code === "INVITATION_INVALID") show("used")
  else if (answer.code === "EMAIL_TAKEN") {
    say("email", answer.error)
    isFaultless()
  } else explain(answer, { email: "email", password: "password" })
}

at("form").addEventListener("submit", submitting(at("submit"), join))

const begin = () => {
  token = takeToken()
  show(token === "" ? "no-token" : "join")
}

addEventListener("hashchange", () => {
  if (location.hash.length > 1) begin()
})
begin()
