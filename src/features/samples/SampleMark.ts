/** By what the pod recognises a sample workspace, whatever somebody calls it later. */

export const sampleTemplate = "pod-demo"
export const sampleType = "project"
