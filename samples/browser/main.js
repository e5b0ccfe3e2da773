// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the digit that is drawn, after each stroke, in the page: nothing is sent anywhere. README.md says how to build digits/.
import { load } from "./digits/digits.mjs";

const element = (id) => document.getElementById(id);
const paper = element("paper");
const pen = paper.getContext("2d", { willReadFrequently: true });

const net = await load({ progress: (loaded, total) => (element("state").textContent = `${Math.round((100 * loaded) / total)} %`) });
element("state").textContent = "ready";

function clear() {
  pen.fillStyle = "white";
  pen.fillRect(0, 0, paper.width, paper.height);
  element("answer").textContent = "";
  element("chances").replaceChildren();
}

/** As the net's images were made: what is drawn fills 32 x 32 dots (few digits are wider than 26), of which those that are inked count in blocks of 4 x 4. */
function image() {
  const { width, height } = paper;
  const { data } = pen.getImageData(0, 0, width, height);
  const isInk = (x, y) => data[4 * (y * width + x)] < 128;
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x)
      if (isInk(x, y)) {
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      }
  if (right < 0) return null;
  const dots = 32;
  const step = Math.max((right - left + 1) / 26, (bottom - top + 1) / dots);
  const begin = [(left + right + 1 - dots * step) / 2, (top + bottom + 1 - dots * step) / 2];
  const blocks = new Float32Array(64);
  for (let y = 0; y < dots; ++y)
    for (let x = 0; x < dots; ++x) {
      const at = [Math.floor(begin[0] + (x + 0.5) * step), Math.floor(begin[1] + (y + 0.5) * step)];
      if (at.every((place, i) => place >= 0 && place < [width, height][i]) && isInk(...at)) blocks[8 * (y >> 2) + (x >> 2)] += 1 / 16;
    }
  return blocks;
}

function read() {
  const drawn = image();
  if (!drawn) return;
  const start = performance.now();
  const { probabilities } = net.run({ image: drawn });
  const took = performance.now() - start;
  const best = probabilities.indexOf(Math.max(...probabilities));
  element("answer").textContent = `It is a ${best}, ${(100 * probabilities[best]).toFixed(0)} % sure`;
  element("state").textContent = `${took.toFixed(2)} ms`;
  element("chances").replaceChildren(
    ...Array.from(probabilities, (chance, digit) => {
      const row = document.createElement("li");
      const bar = document.createElement("i");
      bar.style.width = `${250 * chance}px`;
      row.append(`${digit}`, bar);
      return row;
    }),
  );
}

Object.assign(pen, { lineWidth: 36, lineCap: "round", lineJoin: "round" });
const place = (event) => [event.offsetX, event.offsetY];
let isDrawing = false;
paper.addEventListener("pointerdown", (event) => {
  isDrawing = true;
  pen.beginPath();
  pen.moveTo(...place(event));
});
paper.addEventListener("pointermove", (event) => {
  if (!isDrawing) return;
  pen.lineTo(...place(event));
  pen.stroke();
});
addEventListener("pointerup", () => {
  if (isDrawing) read();
  isDrawing = false;
});
element("clear").addEventListener("click", clear);
clear();
