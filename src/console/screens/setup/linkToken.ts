/** Removes the token of a one-time link from the address, so that the history of the browser does not keep it. */
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"

/**
 * The token after `#` in the address; an empty text if there is none. If a second link is opened in the same tab, its
 * token is used.
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
