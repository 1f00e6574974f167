/** The tabs of the settings, in their order. */
export const settingsParts = ["Account", "People", "Notifications", "Preferences", "Vault", "Audit"] as const
export type SettingsPart = (typeof settingsParts)[number]
