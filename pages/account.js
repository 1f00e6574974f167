/** Changes one's password: signs in with the present one, changes it, and signs out again. */
import {
  ask,
  at,
  explain,
  isFaultless,
  passwordFault,
  refusalText,
  revealable,
  say,
  sayAtForm,
  show,
  signIn,
  signOut,
  submitting
} from "./form.js"

const change = async () => {
  const email = at("email").value.trim()
  const current = at("current").value
  const password = at("password").value
  say("email", email === "" ? "Enter the address you sign in with." : "")
  say("current", current === "" ? "Enter your present password." : "")
  say("password", passwordFault(password))
  if (!isFaultless()) return
  const signedIn = await signIn(email, current)
  if (!signedIn.isOk) return sayAtForm(refusalText(signedIn.answer))
  const { token } = signedIn.answer
  const body = { currentPassword: current, newPassword: password }
  const { answer, isOk } = await ask("POST", "api/hub/users/me/password", body, token)
  await signOut(token)
  if (!isOk) return explain(answer, { currentPassword: "current", newPassword: "password" })
  at("form").reset()
  at("told").textContent = answer.message
  show("done")
}

revealable(at("password"))
at("form").addEventListener("submit", submitting(at("submit"), change))
