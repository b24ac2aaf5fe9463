// What Python and the page tell each other (docs/viewer.md), as types.

/**
 * Something to be drawn: arrays are flat.
 * @typedef {object} Element
 * @property {string} kind areas, lines, arrows, marks, mesh or glyphs
 * @property {number} layer
 * @property {Float32Array} [points] all points of lines or rings, d numbers each
 * @property {number[]} [counts] how many points each of them has
 * @property {Float32Array} [color] one color, or one for each line
 * @property {Float32Array} [width] one width [points], or one for each line; of arrows [m]
 * @property {boolean} [fixed] the width of arrows is in points: equally thick at any distance
 * @property {number[] | null} [face]
 * @property {number} [opacity]
 * @property {number[] | null} [edge]
 * @property {number[] | null} [dash]
 * @property {Float32Array} [tails]
 * @property {Float32Array} [tips]
 * @property {Float32Array} [position]
 * @property {Float32Array} [size]
 * @property {string} [shape]
 * @property {Float32Array} [triangles]
 * @property {string[]} [words]
 * @property {(boolean | string)[]} [on] of labels: whether something is drawn there, or the name of a helper line there
 * @property {number[]} [cast] how far beside its place it is painted, as a shadow [pixels of CSS]
 * @property {boolean} [shown] its colors are those of the paper that there is
 * @property {boolean} [plain] it hides what lies at the same place
 * @property {number} [of] key of the node whose construction it is
 * @property {string} [means] what its color means there
 * @property {string} [says] what itself is, in the words of the key; "" of what has no name
 * @property {boolean} [detail] whether it belongs to the whole construction of a part alone
 * @property {boolean} [ring] its word may stand anywhere along it
 * @property {number} [count] how many of these there are
 * @property {boolean} [across] it is beyond a seam of the space from what it is about
 * @property {boolean} [force] it is about a force, and follows the vehicle
 */

/**
 * @typedef {object} PopulationInfo
 * @property {string} name
 * @property {number[]} color
 * @property {string} shape
 * @property {number} high how high it stands or flies, as a part of its size
 * @property {boolean} stands whether it stands upon the ground in space
 * @property {number} max_speed
 */

/**
 * What there is to be seen, without the vehicles.
 * @typedef {object} Scene
 * @property {string} name
 * @property {string} title
 * @property {string} shows
 * @property {number} dimensions
 * @property {number[]} low
 * @property {number[]} high
 * @property {number[]} middle
 * @property {number} reach
 * @property {boolean} limited whether the space ends at the corners
 * @property {number | null} ground
 * @property {boolean} [wet] whether it is under water
 * @property {number | null} close_up how wide the view is at first [m]: 0 for the explained vehicle and what it steers by, null for everything
 * @property {number} azimuth
 * @property {number} elevation
 * @property {number[]} period 0 where the space has no seam
 * @property {number} dt
 * @property {number} seconds
 * @property {number} trails
 * @property {number | null} dots
 * @property {Record<string, string>} [colorings] what colors can mean that only Python knows, and what that is
 * @property {Element[]} elements
 * @property {PopulationInfo[]} populations
 * @property {Record<string, Float32Array>} shapes triangles of the glyphs of populations, by name
 */

/**
 * Where the vehicles of a population are: d numbers each.
 * @typedef {object} Bodies
 * @property {number} n
 * @property {number} [of] how many there are, also those that no picture shows
 * @property {Uint32Array} id
 * @property {Float32Array} position
 * @property {Float32Array} forward
 * @property {Float32Array} [up]
 * @property {Float32Array} size
 * @property {Float32Array} [width] of their bodies, where these are seen
 * @property {Float32Array} [axis] lengths of the axes of their bodies, where these are seen and some are capsules
 * @property {Float32Array} [velocity] where that is wanted
 */

/**
 * @typedef {object} Frame
 * @property {number} time
 * @property {number} steps
 * @property {number} [pace] steps a second, lately
 * @property {number} [branch] the number of the run: each change begins another one
 * @property {number} [cut] the number of steps at which this run has left the one before
 * @property {Record<string, Bodies>} populations
 */

export {};
