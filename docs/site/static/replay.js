// The picture of a scenario becomes its replay by a click; nothing of a replay is loaded before.
addEventListener("DOMContentLoaded", () => {
  for (const figure of document.querySelectorAll("figure.replay")) {
    const picture = figure.nextElementSibling?.querySelector("img");
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-label", "Play");
    const play = () => {
      const frame = document.createElement("iframe");
      frame.src = figure.dataset.replay;
      frame.title = "replay";
      figure.replaceChildren(frame);
      picture?.remove();
    };
    button.className = "play";
    button.textContent = "\u25b6 Play it here";
    button.addEventListener("click", play);
    figure.append(button);
  }
});
