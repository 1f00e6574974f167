/**
 * Where the neighbours of a record are placed in a small drawing: on rings around the record, each with enough room for
 * the names.
 */
export interface Place {
  readonly x: number
  readonly y: number
}

export const drawing = { width: 640, height: 420 } as const

const firstRing = 10
const centre: Place = { x: drawing.width / 2, y: drawing.height / 2 }

/**
 * The positions of `count` neighbours, in their order. The first ten are on the inner ring. All are inside the drawing.
 */
export const placesAround = (count: number): ReadonlyArray<Place> =>
  Array.from({ length: count }, (_, index) => {
    const isInner = index < firstRing
    const [on, size] = isInner ? [index, Math.min(count, firstRing)] : [index - firstRing, count - firstRing]
    const angle = (2 * Math.PI * on) / size - Math.PI / 2
    const [across, down] = isInner ? [0.3, 0.28] : [0.42, 0.45]
    return {
      x: Math.round(centre.x + Math.cos(angle) * drawing.width * across),
      y: Math.round(centre.y + Math.sin(angle) * drawing.height * down)
    }
  })

export const centrePlace = centre
