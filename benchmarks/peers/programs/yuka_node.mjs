// Does the workloads with Yuka: one line of JSON in, one out. Usage: node yuka_node.mjs URL_OF_YUKA
// Yuka is at home in x-z, facing z: (x, y) of the plane is (z, x) there, which keeps left on the left.
import readline from "node:readline";

const YUKA = await import(process.argv[2]);
const { Vector3 } = YUKA;

// Behaviors of a flock, each with a radius, an angle and a weight, written as Yuka's are.
class Sighted extends YUKA.SteeringBehavior {
  constructor(numbers, part) {
    super();
    this.radius = numbers[`${part}_radius`];
    this.cosine = numbers[`${part}_cosine`];
    this.weight = numbers[`${part}_weight`];
    this.inner = numbers.inner_radius;
    this.heading = new Vector3();
    this.offset = new Vector3();
    this.other = new Vector3();
  }

  sees(neighbor, vehicle) {
    const offset = this.offset.subVectors(neighbor.position, vehicle.position);
    const distance = offset.length();
    if (distance > this.radius || distance === 0) return 0;
    return distance <= this.inner || offset.dot(this.heading) >= this.cosine * distance ? distance : 0;
  }
}

class Separation extends Sighted {
  calculate(vehicle, force) {
    vehicle.getDirection(this.heading);
    for (const neighbor of vehicle.neighbors) {
      const distance = this.sees(neighbor, vehicle);
      if (distance) force.sub(this.offset.divideScalar(distance * distance));
    }
    return force.squaredLength() > 0 ? force.normalize() : force;
  }
}

class Alignment extends Sighted {
  calculate(vehicle, force) {
    let count = 0;
    vehicle.getDirection(this.heading);
    for (const neighbor of vehicle.neighbors) {
      if (this.sees(neighbor, vehicle)) {
        force.add(neighbor.getDirection(this.other));
        count++;
      }
    }
    if (count) force.divideScalar(count).sub(this.heading);
    return force.squaredLength() > 0 ? force.normalize() : force;
  }
}

class Cohesion extends Sighted {
  calculate(vehicle, force) {
    vehicle.getDirection(this.heading);
    for (const neighbor of vehicle.neighbors) if (this.sees(neighbor, vehicle)) force.add(this.offset);
    return force.squaredLength() > 0 ? force.normalize() : force;
  }
}

const at = ([x, y]) => new Vector3(y, 0, x);

// Steps of a random walk are given per square root of a second; Yuka's jitter is per second, on a circle of that radius.
const wander = (p) =>
  new YUKA.WanderBehavior(p.wander_radius, p.wander_distance, (p.wander_rate * p.wander_radius) / Math.sqrt(p.dt));

// What is the same for all is made once: rocks, and points of the path.
let rocks, points;

const lay = (p) => {
  rocks = (p.centers ?? []).map((center, k) => {
    const rock = new YUKA.GameEntity();
    rock.position.copy(at(center));
    rock.boundingRadius = p.radii[k];
    return rock;
  });
  points = (p.path ?? []).map(at);
};

const avoid = (p) => {
  const behavior = new YUKA.ObstacleAvoidanceBehavior(rocks);
  behavior.dBoxMinLength = (p.lookahead * p.max_speed) / 2; // Twice as long at full speed.
  behavior.weight = p.avoid_weight ?? 5;
  return behavior;
};

// Each has a path of its own, which knows what point is due.
const follow = (p, vehicle) => {
  const path = new YUKA.Path();
  path.loop = p.closed;
  for (const point of points) path.add(point);
  vehicle.due = path;
  return new YUKA.FollowPathBehavior(path, p.path_radius);
};

const MAKE = {
  flock: (p) => [new Separation(p, "separation"), new Alignment(p, "alignment"), new Cohesion(p, "cohesion")],
  small: (p, vehicle) => [
    avoid(p),
    new YUKA.SeekBehavior(at(p.seek)),
    new YUKA.ArriveBehavior(at(p.arrive), p.slowing_distance / p.max_speed),
    wander(p),
    follow(p, vehicle),
  ],
  avoid: (p) => [avoid(p), new YUKA.SeekBehavior(at(p.seek))],
  path: (p, vehicle) => [follow(p, vehicle)],
};

let manager, vehicles, numbers;

const commands = {
  make({ make, n, numbers: given }) {
    numbers = given;
    manager = new YUKA.EntityManager();
    vehicles = [];
    lay(numbers);
    for (let k = 0; k < n; k++) {
      const vehicle = new YUKA.Vehicle();
      vehicle.maxSpeed = numbers.max_speed;
      vehicle.maxForce = numbers.max_force;
      if (make === "flock") {
        vehicle.updateNeighborhood = true;
        vehicle.neighborhoodRadius = numbers.cohesion_radius;
      }
      for (const behavior of MAKE[make](numbers, vehicle)) vehicle.steering.add(behavior);
      vehicles.push(vehicle);
      manager.add(vehicle);
    }
    return {};
  },

  place({ place: [position, velocity] }) {
    const reach = position.flat().reduce((most, each) => Math.max(most, Math.abs(each)), 0) + 9;
    vehicles.forEach((vehicle, k) => {
      vehicle.position.copy(at(position[k]));
      vehicle.velocity.copy(at(velocity[k]));
      if (vehicle.velocity.squaredLength() > 0) {
        vehicle.lookAt(new Vector3().addVectors(vehicle.position, vehicle.velocity));
      }
      if (vehicle.due) {
        let near = 0;
        points.forEach((point, j) => {
          if (point.squaredDistanceTo(vehicle.position) < points[near].squaredDistanceTo(vehicle.position)) near = j;
        });
        vehicle.due._index = near;
        vehicle.due.advance();
      }
    });
    if (numbers.cohesion_radius) {
      // A query looks at every cell, so there is a best number of them: the more of them, the fewer vehicles in each.
      const cells = Math.max(1, Math.round(Math.sqrt(2 * Math.sqrt(vehicles.length))));
      manager.spatialIndex = new YUKA.CellSpacePartitioning(2 * reach, 10, 2 * reach, cells, 1, cells);
      manager._indexMap.clear();
      for (const vehicle of vehicles) manager._indexMap.set(vehicle, manager.spatialIndex.updateEntity(vehicle, -1));
    }
    return {};
  },

  steps({ steps }) {
    const start = process.hrtime.bigint();
    for (let k = 0; k < steps; k++) manager.update(numbers.dt);
    return { seconds: Number(process.hrtime.bigint() - start) / 1e9 };
  },

  read() {
    const plain = (vector) => [vector.z, vector.x];
    return { position: vehicles.map((v) => plain(v.position)), velocity: vehicles.map((v) => plain(v.velocity)) };
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const what = JSON.parse(line);
  process.stdout.write(JSON.stringify(commands[Object.keys(what)[0]](what)) + "\n");
}
