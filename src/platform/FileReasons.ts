/**
 * Says why the system refused a file or directory. The reason does not contain the path, because the path might be a
 * secret that somebody put into the wrong setting.
 */

const unreadableReasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "reading it is not permitted",
  EPERM: "reading it is not permitted",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is a file",
  ELOOP: "the links in its path form a circle"
}

const unwritableReasons: Readonly<Record<string, string>> = {
  ENOENT: "its file system does not allow new files there",
  EACCES: "the system user of the pod may not write there",
  EPERM: "the system user of the pod may not write there",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EEXIST: "something else has that name, such as a link without a target",
  ENOTDIR: "a part of its path is a file",
  ENAMETOOLONG: "its path is too long",
  ELOOP: "the links in its path form a circle"
}

/** Returns the code of a system error, or undefined for anything else. */
export const systemCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if ("syscall" in error && "code" in error) return String(error.code)
  return systemCode(error.cause)
}

export const unreadableReason = (error: unknown): string =>
  unreadableReasons[systemCode(error) ?? ""] ?? "it cannot be read"

export const unwritableReason = (error: unknown): string => {
  const code = systemCode(error)
  return unwritableReasons[code ?? ""] ?? `the system refuses it${code === undefined ? "" : ` (${code})`}`
}
