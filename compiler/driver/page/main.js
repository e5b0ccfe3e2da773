// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the page together of what the verb found out.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
document.title = `${fileOf(data.model)} – Sinter`;
const page = document.getElementById("page");
if (data.points) page.append(...waysOf(data));
else if (data.way) page.append(...quantizedOf(data));
else if (data.report) page.append(summaryOf(data), comparisonOf(data), timeOf(data), graphOf(data), kernelsOf(data), memoryOf(data), weightsOf(data));
else page.append(element("h1", {}, data.model), element("p", { class: "warn" }, "The model does not compile: ", ...(data.problems ?? []).map((problem) => problem.message + " ")));
