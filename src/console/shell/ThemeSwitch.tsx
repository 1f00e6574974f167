/** The control that chooses the theme: light, dark, or the theme of the system. */
import { useState } from "react"
import { applyTheme, storedTheme, themeOf } from "./theme.ts"

export const ThemeSwitch = () => {
  const [theme, setTheme] = useState(storedTheme)
  return (
    <select
      aria-label="Theme"
      className="border-control bg-panel text-text min-h-9 rounded-md border px-2"
      value={theme}
      onChange={({ target }) => {
        const next = themeOf(target.value)
        applyTheme(next)
        setTheme(next)
      }}
    >
      <option value="system">System theme</option>
      <option value="light">Light theme</option>
      <option value="dark">Dark theme</option>
    </select>
  )
}
