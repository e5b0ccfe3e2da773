// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the other scripts build the page of. Text of the model only ever becomes text: nothing here parses HTML.
"use strict";

/** An element with attributes and children; a string is text. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map(String).map((text, i) => (children[i] instanceof Node ? children[i] : text)));
  return made;
}

/** An element of a drawing, with a title to be seen on hover. */
function shape(tag, attributes = {}, title = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (title) {
    const said = document.createElementNS("http://www.w3.org/2000/svg", "title");
    said.textContent = title;
    made.append(said);
  }
  return made;
}

/** The path's last part. */
function fileOf(path) {
  return path.split(/[\\/]/).pop();
}

function bytesText(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

function secondsText(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  if (seconds >= 1e-3) return `${(seconds * 1e3).toFixed(2)} ms`;
  return seconds >= 1e-6 || !seconds ? `${(seconds * 1e6).toFixed(1)} µs` : `${(seconds * 1e9).toFixed(0)} ns`;
}

function countText(count) {
  const units = ["", " k", " M", " G"];
  let unit = 0;
  for (; count >= 1000 && unit < 3; ++unit) count /= 1000;
  return (unit ? count.toFixed(count < 10 ? 1 : 0) : count) + units[unit];
}

/** A color for each kind of kernel: equal names look alike, on any page. */
function colorOf(name) {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  return `hsl(${hash % 360} 55% 55%)`;
}

const rulers = new Map(); // by font, which is slow to set

/** As much of a text as has place in a drawing; letters are as wide as they are, and none is cut in two. */
function fitted(text, width, pixels, weight = 400) {
  if (text.length * pixels * 1.3 <= width) return text; // however wide
  const font = `${weight} ${pixels}px system-ui, sans-serif`, ruler = rulers.get(font) ?? document.createElement("canvas").getContext("2d");
  if (!rulers.has(font)) {
    ruler.font = font;
    rulers.set(font, ruler);
  }
  const start = text.slice(0, 200);
  if (start.length === text.length && ruler.measureText(text).width <= width) return text;
  const letters = [...start];
  while (letters.length && ruler.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("")}…`;
}

/** A cell with names of a model: of very long ones the beginning, the rest is to be seen on hover. */
function nameCell(text) {
  const most = 300;
  return text.length <= most ? element("td", { class: "nodes" }, text) : element("td", { class: "nodes", title: text }, `${[...text.slice(0, most)].slice(0, -1).join("")}…`);
}

function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children);
}
