"use strict";

/* What all pages share: data scripts, DOM elements, words. */

const tatc = (() => {
  const values = new Map();

  /** Keep a value; data scripts call this. */
  const put = (name, value) => values.set(name, value);

  /** Load a data script and return its value; works from a server and from disk. */
  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `data/${name}.js`;
      script.onload = () => {
        script.remove();
        if (values.has(name)) resolve(values.get(name));
        else reject(new Error(`data/${name}.js holds no data`));
      };
      script.onerror = () => {
        script.remove();
        reject(new Error("This could not be loaded. Is `tatc view` still running?"));
      };
      document.head.append(script);
    });
  }

  /** Make an element: el("p.faint", {title: "..."}, "words", child). */
  function el(kind, given = {}, ...children) {
    const [tag, ...classes] = kind.split(".");
    const made = document.createElement(tag);
    if (classes.length) made.className = classes.join(" ");
    return fillElement(made, given, children);
  }

  const SVG = "http://www.w3.org/2000/svg";

  /** Make an SVG element. */
  function svg(kind, given = {}, ...children) {
    const [tag, ...classes] = kind.split(".");
    const made = document.createElementNS(SVG, tag);
    if (classes.length) made.setAttribute("class", classes.join(" "));
    return fillElement(made, given, children);
  }

  function fillElement(made, given, children) {
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || value === null || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  const ENDS = {
    success: "success",
    gave_up: "gave up",
    step_limit: "step limit",
    failure_limit: "failure limit",
    crashed: "crashed",
    skipped: "could not start",
    "": "no outcome",
  };

  /** Return a session's outcome in words. */
  const endWords = (end) => ENDS[end] ?? end;

  /** Return "DiningTable" as "Dining table". */
  function spaced(type) {
    const words = type.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  /** Return the type in an object's id, in words: "Mug". */
  const typeOf = (id) => spaced((id.match(/\|([A-Za-z]+)(?:_\d+)?$/) ?? [0, id.split("|")[0]])[1]);

  const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

  /** Return the address's query, and the values behind its #. */
  const addressParams = () => ({
    query: new URLSearchParams(location.search),
    hash: new URLSearchParams(location.hash.slice(1)),
  });

  /** Put values behind the address's #, without a new entry in the browser's history. */
  function remember(values) {
    const kept = Object.entries(values).filter(([, value]) => value !== "" && value !== null);
    const hash = new URLSearchParams(kept).toString();
    history.replaceState(null, "", `${location.pathname}${location.search}${hash ? `#${hash}` : ""}`);
  }

  return { put, load, el, svg, endWords, spaced, typeOf, plural, addressParams, remember };
})();
