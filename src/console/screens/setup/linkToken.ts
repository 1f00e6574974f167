/** Removes the token of a one-time link from the address, so that the history of the browser does not contain it. */
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"

/**
 * The token after `#` in the address. An empty text if there is no token. If the person opens a second link in the same
 * tab, the result is the token of the second link.
 */
export const useLinkToken = (): string => {
  const found = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  const [token, setToken] = useState(found)
  useEffect(() => {
    if (found === "") return
    setToken(found)
    void navigate({ to: ".", hash: "", replace: true })
  }, [found, navigate])
  return token
}
