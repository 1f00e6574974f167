/** Why the system refused a file or a directory, in words without its path: a path may be a secret under a wrong name. */

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "reading it is not permitted",
  EPERM: "reading it is not permitted",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is a file",
  ELOOP: "links on the way to it lead in a circle"
}

const unwritable: Readonly<Record<string, string>> = {
  ENOENT: "its file system lets nothing be made there",
  EACCES: "the pod's user may not write there",
  EPERM: "the pod's user may not write there",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EEXIST: "something else is there, such as a link that leads nowhere",
  ENOTDIR: "a part of its path is a file",
  ENAMETOOLONG: "its path is too long",
  ELOOP: "links on the way to it lead in a circle"
}

/** The code of a system error; undefined for anything else. */
export const systemCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if ("syscall" in error && "code" in error) return String(error.code)
  return systemCode(error.cause)
}

export const whyUnreadable = (error: unknown): string => unreadable[systemCode(error) ?? ""] ?? "it cannot be read"

export const whyUnwritable = (error: unknown): string => {
  const code = systemCode(error)
  return unwritable[code ?? ""] ?? `the system refuses it${code === undefined ? "" : ` (${code})`}`
}
