/* Commands that run from anywhere, and a table that sorts and filters. */

const root = document.currentScript.dataset.root;
if (location.protocol === "file:") {
  const folder = decodeURIComponent(new URL(`${root}/`, location.href).pathname).replace(/(.)\/$/, "$1");
  const quoted = /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'"'"'`)}'`;
  for (const command of document.querySelectorAll("code.command")) command.prepend(`cd ${quoted} && `);
}

const table = document.getElementById("sessions"), words = document.getElementById("words");
const which = document.getElementById("which"), rows = [...table.tBodies[0].rows];

function filter() {
  const sought = words.value.toLowerCase().split(/\s+/);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = (which.value && row.dataset.which !== which.value) || !sought.every((word) => text.includes(word));
  }
  const shown = rows.filter((row) => !row.hidden).length;
  document.getElementById("count").textContent = `${shown} of ${rows.length} ${rows.length === 1 ? "session" : "sessions"}`;
}

function sortBy(head) {
  const falls = head.ariaSort === "ascending", at = head.cellIndex;
  for (const each of table.tHead.rows[0].cells) each.ariaSort = "none";
  head.ariaSort = falls ? "descending" : "ascending";
  const sign = falls ? -1 : 1, cell = (row) => row.cells[at].textContent.trim();
  rows.sort((one, two) => sign * cell(one).localeCompare(cell(two), "en", { numeric: true }));
  table.tBodies[0].append(...rows);
}

for (const head of table.tHead.rows[0].cells) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  button.addEventListener("click", () => sortBy(head));
  head.append(button);
}
words.addEventListener("input", filter);
which.addEventListener("change", filter);
filter();
