/** Accepts an invitation: takes the token out of the address, asks who it is, and exchanges both. */
import { ask, at, explain, isFaultless, onToken, passwordFault, revealable, say, show, submitting } from "./form.js"

let token = ""

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

revealable(at("password"))
at("form").addEventListener("submit", submitting(at("submit"), join))
onToken((given) => {
  token = given
  show(token === "" ? "no-token" : "join")
})
