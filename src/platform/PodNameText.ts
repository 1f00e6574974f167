/**
 * Decides which texts are allowed as the name of the pod. Everybody sees the name as plain text, even before the
 * sign-in.
 */
// the maximum number of characters in the name of a pod
export const podNameMax = 80

/**
 * Control characters, separators of lines, and marks that are invisible or reverse the direction of the text. With such
 * a character, a name could look like another name, or like a part of the page. The joining marks and variant marks of
 * emoji and of some scripts are allowed.
 */
const unfit = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A character that a person sees. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

export const isPodName = (name: string): boolean =>
  name.length > 0 && [...name].length <= podNameMax && !unfit.test(name) && visible.test(name)
