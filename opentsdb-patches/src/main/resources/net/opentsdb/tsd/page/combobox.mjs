// An input with a list below it, as the ARIA pattern "editable combobox" has it.

const FULL = 25;
let boxes = 0;

/** Completes an input by what `find` answers for its text; a choice is a "change" of the input. */
export function combobox(input, list, find) {
  const prefix = `box${boxes++}`;
  let options = [];
  let active = -1;
  let timer = 0;
  let asked = 0;

  list.id = list.id || prefix;
  input.setAttribute("aria-controls", list.id);

  function close() {
    clearTimeout(timer);
    asked++;
    active = -1;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    active = index;
    list.querySelectorAll("[role=option]").forEach((item, i) => {
      item.setAttribute("aria-selected", String(i === index));
    });
    input.setAttribute("aria-activedescendant", list.children[index].id);
    list.children[index].scrollIntoView({ block: "nearest" });
  }

  function take(index) {
    input.value = options[index];
    close();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function item(name, i) {
    const line = document.createElement("li");
    line.id = `${prefix}-${i}`;
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", "false");
    line.textContent = name;
    line.addEventListener("mousedown", (event) => {
      event.preventDefault();
      take(i);
    });
    return line;
  }

  async function open() {
    const mine = ++asked;
    let found = [];
    try {
      found = await find(input.value.trim());
    } catch (e) {
      // Without an answer there is nothing to offer; what is typed stays.
    }
    if (mine !== asked || document.activeElement !== input) {
      return;
    }
    options = found;
    active = -1;
    list.replaceChildren(...options.map(item));
    if (options.length >= FULL) {
      const more = document.createElement("li");
      more.className = "more";
      more.setAttribute("role", "presentation");
      more.textContent = `The first ${FULL}; type on for others`;
      list.append(more);
    }
    input.removeAttribute("aria-activedescendant");
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(options.length > 0));
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(open, 120);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) {
        open();
      } else {
        const step = event.key === "ArrowDown" ? 1 : -1;
        mark((active < 0 && step < 0 ? options.length - 1 : active + step + options.length) % options.length);
      }
    } else if (event.key === "Enter" && !list.hidden && active >= 0) {
      event.preventDefault();
      take(active);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
}
