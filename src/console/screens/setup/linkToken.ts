/** Removes the token of a one-time link from the address, so that the history of the browser does not contain it. */
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { forgetLinkToken, keptLinkToken } from "./keptLinkToken.ts"

/**
 * The token after `#` in the address, or the kept token. An empty text if there is no token. If the person opens a
 * second link in the same tab, the result is the token of the second link.
 */
export const useLinkToken = (): string => {
  const found = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  const [token, setToken] = useState(found === "" ? keptLinkToken() : found)
  // The screen has the token now. If the pod refuses the token, no copy is left in the tab.
  useEffect(forgetLinkToken, [])
  useEffect(() => {
    if (found === "") return
    setToken(found)
    void navigate({ to: ".", hash: "", replace: true })
  }, [found, navigate])
  return token
}
