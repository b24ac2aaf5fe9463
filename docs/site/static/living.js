// Figures of the paper that move and can be dragged. Their shapes come from the library, for the places of a mesh; between four
// places they are mixed. Nothing is loaded before a click.
const figures = {};

globalThis.living = (number, data) => figures[number](data);

addEventListener("DOMContentLoaded", () => {
  for (const figure of document.querySelectorAll("figure.living")) {
    const picture = figure.closest("section")?.querySelector("img");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "play";
    button.textContent = "\u25b6 Move and drag it";
    button.addEventListener("click", () => {
      button.disabled = true;
      figures[figure.dataset.figure] = (data) => {
        button.remove();
        picture.closest("p").hidden = true;
        begin(figure, data, `${figure.dataset.from}.png`);
      };
      const script = document.createElement("script");
      script.src = `${figure.dataset.from}.js`;
      document.head.append(script);
    });
    figure.append(button);
  }
});

function begin(figure, data, backdrop) {
  const canvas = document.createElement("canvas");
  const hint = document.createElement("figcaption");
  const again = document.createElement("button");
  Object.assign(again, { type: "button", className: "play", textContent: "\u21bb Play again" });
  canvas.tabIndex = 0;
  canvas.setAttribute("aria-label", "Drag a ringed vehicle, or move it with the arrow keys");
  hint.textContent = "Drag a ringed vehicle, or move it with the arrow keys: the construction follows.";
  figure.append(canvas, hint, again);
  const [wide, high] = data.span;
  const paper = new Image();
  let now = data.home, held = 0, timer = 0;
  const size = () => {
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.width * high / wide;
    show();
  };
  const show = () => draw(canvas, data, now, paper);
  const play = () => {
    cancelAnimationFrame(timer);
    const start = performance.now();
    const next = (time) => {
      const at = Math.max(Math.floor((time - start) / 1000 * 15), 0);
      now = data.film[Math.min(at, data.film.length - 1)];
      show();
      timer = at < data.film.length ? requestAnimationFrame(next) : 0;
      if (!timer) setTimeout(() => { if (!timer && now !== data.home && !canvas.dataset.held) { now = data.home; show(); } }, 900);
    };
    delete canvas.dataset.held;
    timer = requestAnimationFrame(next);
  };
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width * wide, (1 - (event.clientY - box.top) / box.height) * high];
  };
  const go = (x, y) => {
    cancelAnimationFrame(timer);
    timer = 0;
    canvas.dataset.held = "1";
    now = moved(data, held, Math.min(Math.max(x, 0), wide), Math.min(Math.max(y, 0), high));
    show();
  };
  const where = (k) => now.v[data.handles[k].rows[0]];
  canvas.addEventListener("pointerdown", (event) => {
    const [x, y] = place(event);
    const far = data.handles.map((_, k) => Math.hypot(where(k)[0] - x, where(k)[1] - y));
    held = far.indexOf(Math.min(...far));
    canvas.setPointerCapture(event.pointerId);
    go(x, y);
  });
  canvas.addEventListener("pointermove", (event) => { if (event.buttons) go(...place(event)); });
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    go(where(held)[0] + way[0] / 2, where(held)[1] + way[1] / 2);
  });
  again.addEventListener("click", play);
  paper.addEventListener("load", show);
  paper.src = backdrop;
  addEventListener("resize", size);
  size();
  play();
}

// The moment with one vehicle at (x, y): shapes of the four nearest places are mixed where they are alike.
function moved(data, held, x, y) {
  const { rows, mesh } = data.handles[held];
  const i = Math.min(Math.floor(x / data.step), mesh[0].length - 2), j = Math.min(Math.floor(y / data.step), mesh.length - 2);
  const u = x / data.step - i, v = y / data.step - j;
  const four = [mesh[j][i], mesh[j][i + 1], mesh[j + 1][i], mesh[j + 1][i + 1]];
  const parts = [(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v];
  const best = parts.indexOf(Math.max(...parts)), near = four[best];
  const names = (shapes) => shapes.map((each) => `${each[0]}${each[1]}${each.length}`).join();
  const like = four.every((each) => names(each) === names(near));
  const s = like
    ? near.map((each, k) => each.map((value, n) => (n < 2 ? value : four.reduce((sum, of, c) => sum + parts[c] * of[k][n], 0))))
    : carried(near, (i + best % 2) * data.step, (j + (best > 1)) * data.step, x, y);
  return { v: data.home.v.map((each, row) => (rows.includes(row) ? [x, y, ...each.slice(2)] : each)), s };
}

// Shapes of the nearest place of the mesh, where they are not alike: those that begin at the vehicle move with it.
function carried(shapes, px, py, x, y) {
  const begins = [[px, py]], near = ([ax, ay], bx, by) => Math.hypot(ax - bx, ay - by) < 0.02;
  return shapes.map(([role, kind, ...n]) => {
    if (kind === "l") return [role, kind, ...n.map((value, k) => (near([px, py], n[k - k % 2], n[k - k % 2 + 1]) ? [x, y][k % 2] : value))];
    if (!begins.some((each) => near(each, n[0], n[1]))) return [role, kind, ...n];
    if (role === "velocity") begins.push([n[2], n[3]]);
    const points = kind === "a" || kind === "t" ? 4 : 2;
    return [role, kind, ...n.map((value, k) => (k < points ? value + [x - px, y - py][k % 2] : value))];
  });
}

function draw(canvas, data, moment, paper) {
  const pen = canvas.getContext("2d"), scale = canvas.width / data.span[0];
  const at = (x, y) => [x * scale, canvas.height - y * scale];
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  if (paper.complete && paper.naturalWidth) pen.drawImage(paper, 0, 0, canvas.width, canvas.height);
  for (const [role, kind, ...n] of moment.s) {
    const [color, width, dashed, fill] = data.looks[role];
    pen.strokeStyle = pen.fillStyle = color;
    pen.lineWidth = width * canvas.width / 420;
    pen.setLineDash(dashed ? [pen.lineWidth * 3, pen.lineWidth * 3] : []);
    pen.beginPath();
    if (kind === "a") arrow(pen, at(n[0], n[1]), at(n[2], n[3]), scale * 0.55);
    else if (kind === "l") for (let k = 0; k < n.length; k += 2) pen.lineTo(...at(n[k], n[k + 1]));
    else if (kind === "c") pen.arc(...at(n[0], n[1]), Math.max(n[2], 0) * scale, 0, 7);
    else if (kind === "s") {
      const to = -Math.atan2(n[3], n[2]);
      if (n[5] < 6.28) pen.moveTo(...at(n[0], n[1]));
      pen.arc(...at(n[0], n[1]), n[4] * scale, to - n[5] / 2, to + n[5] / 2);
      if (n[5] < 6.28) pen.closePath();
    } else if (kind === "t") {
      const long = Math.hypot(n[2] - n[0], n[3] - n[1]) || 1, sx = -(n[3] - n[1]) / long * n[4], sy = (n[2] - n[0]) / long * n[4];
      for (const [x, y] of [[n[0] + sx, n[1] + sy], [n[2] + sx, n[3] + sy], [n[2] - sx, n[3] - sy], [n[0] - sx, n[1] - sy]]) pen.lineTo(...at(x, y));
      pen.closePath();
    } else if (kind === "x") {
      for (const [dx, dy] of [[1, 1], [1, -1]]) {
        pen.moveTo(...at(n[0] - 0.3 * dx, n[1] - 0.3 * dy));
        pen.lineTo(...at(n[0] + 0.3 * dx, n[1] + 0.3 * dy));
      }
    } else if (kind === "p") body(pen, at, n[0], n[1], n[2], n[3], n[4]);
    if (fill > 0 && fill < 1 && kind !== "a" && kind !== "l") {
      pen.globalAlpha = fill;
      pen.fill();
      pen.globalAlpha = 1;
    }
    pen.stroke();
  }
  pen.setLineDash([]);
  moment.v.forEach(([x, y, fx, fy, radius, k]) => {
    pen.fillStyle = data.colors[k % data.colors.length];
    pen.strokeStyle = "#222";
    pen.lineWidth = canvas.width / 500;
    pen.beginPath();
    body(pen, at, x, y, fx, fy, 1.5 * radius);
    pen.fill();
    pen.stroke();
  });
  for (const { rows } of data.handles) {
    const [x, y] = moment.v[rows[0]];
    pen.beginPath();
    pen.arc(...at(x, y), scale * 0.95, 0, 7);
    pen.stroke();
  }
}

function arrow(pen, [x, y], [tx, ty], size) {
  const long = Math.hypot(tx - x, ty - y);
  if (long < 1) return;
  const head = Math.min(size, 0.6 * long), ux = (tx - x) / long, uy = (ty - y) / long;
  const bx = tx - head * ux, by = ty - head * uy;
  pen.moveTo(x, y);
  pen.lineTo(bx, by);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(tx, ty);
  pen.lineTo(bx - 0.4 * head * uy, by + 0.4 * head * ux);
  pen.lineTo(bx + 0.4 * head * uy, by - 0.4 * head * ux);
  pen.closePath();
  pen.fill();
}

function body(pen, at, x, y, fx, fy, radius) {
  pen.moveTo(...at(x + 1.2 * radius * fx, y + 1.2 * radius * fy));
  pen.lineTo(...at(x - 0.8 * radius * fx - 0.7 * radius * fy, y - 0.8 * radius * fy + 0.7 * radius * fx));
  pen.lineTo(...at(x - 0.8 * radius * fx + 0.7 * radius * fy, y - 0.8 * radius * fy - 0.7 * radius * fx));
  pen.closePath();
}
