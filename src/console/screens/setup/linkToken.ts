/** Takes the token of a one-time link out of the address, so that nobody finds it in the history of the browser. */
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"

/** The token that the address had after `#`, or an empty text. A second link that is opened in the same tab counts too. */
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
