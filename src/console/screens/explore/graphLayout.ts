/**
 * Computes where a small drawing shows the neighbours of a record: on rings around the record, with enough room for the
 * names.
 */
export interface Point {
  readonly x: number
  readonly y: number
}

export const drawingSize = { width: 640, height: 420 } as const

const firstRing = 10
const centre: Point = { x: drawingSize.width / 2, y: drawingSize.height / 2 }

/**
 * The positions of `count` neighbours, in the order of the neighbours. The first ten are on the inner ring. All
 * positions are inside the drawing.
 */
export const placesAround = (count: number): ReadonlyArray<Point> =>
  Array.from({ length: count }, (_, index) => {
    const isInner = index < firstRing
    const [on, size] = isInner ? [index, Math.min(count, firstRing)] : [index - firstRing, count - firstRing]
    const angle = (2 * Math.PI * on) / size - Math.PI / 2
    const [across, down] = isInner ? [0.3, 0.28] : [0.42, 0.45]
    return {
      x: Math.round(centre.x + Math.cos(angle) * drawingSize.width * across),
      y: Math.round(centre.y + Math.sin(angle) * drawingSize.height * down)
    }
  })

export const centrePlace = centre
