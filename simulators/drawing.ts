/** The part of the plane that a picture shows, in the coordinates of a world; y grows upwards. */
export interface View {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What a shape stands for. Whoever renders a drawing chooses the looks by this, so that worlds know no colours: the
 * ground; a line that divides it; what is sought; what is in the way; how far a seat sees; whoever holds a seat; a
 * number that somebody or something carries.
 */
export type ShapeRole = 'ground' | 'grid' | 'target' | 'obstacle' | 'sight' | 'seat' | 'badge';

interface ShapeBase {
  /** Tells the same thing in two drawings of an episode. Under one id only the position changes. */
  readonly id: string;
  readonly role: ShapeRole;
  /** Position of the middle. */
  readonly x: number;
  readonly y: number;
  /** The seat that the shape belongs to. */
  readonly seat?: number;
  readonly label?: string;
}

export type Shape = ShapeBase &
  (
    | { readonly kind: 'circle'; readonly radius: number }
    | { readonly kind: 'rectangle' | 'line'; readonly width: number; readonly height: number }
  );

/** A picture of one state as plain data, from the back to the front. Every seat has one shape of the role `seat`. */
export interface Drawing {
  readonly shapes: readonly Shape[];
  /** What a picture shows of this state, where that is less than the view of its world; the same throughout an episode. */
  readonly view?: View;
}
