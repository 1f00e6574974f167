/** The theme of the console: light, dark, or the theme of the system. */
export type Theme = "system" | "light" | "dark"

const storageKey = "pod-theme"

export const storedTheme = (): Theme => {
  const text = localStorage.getItem(storageKey)
  return text === "light" || text === "dark" ? text : "system"
}

export const applyTheme = (theme: Theme): void => {
  if (theme === "system") {
    localStorage.removeItem(storageKey)
    delete document.documentElement.dataset["theme"]
  } else {
    localStorage.setItem(storageKey, theme)
    document.documentElement.dataset["theme"] = theme
  }
}
