// MicroPython's own prompt on standard input and output, with a file system in memory:
//   node prompt_in_node.mjs PACKAGE_FOLDER FOLDER_FOR_WHAT_WAS_WRITTEN
// At the end of its input it copies what lies in that file system into the folder.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , home, kept] = process.argv;
const { loadMicroPython } = await import(pathToFileURL(path.join(home, "micropython.mjs")));
const python = await loadMicroPython({
  linebuffer: false,
  stdout: (data) => process.stdout.write(data),
});
python.FS.writeFile("/main.py", "print('an older program')\n");
python.replInit();
process.stdin.on("data", (data) => data.forEach((byte) => python.replProcessChar(byte)));
process.stdin.on("end", () => {
  copy("/hardware", path.join(kept, "hardware"));
  copy("/main.py", path.join(kept, "main.py"));
});

function copy(from, to) {
  const found = python.FS.analyzePath(from);
  if (!found.exists) return;
  if (!python.FS.isDir(found.object.mode)) {
    fs.writeFileSync(to, python.FS.readFile(from));
    return;
  }
  fs.mkdirSync(to, { recursive: true });
  for (const name of python.FS.readdir(from)) {
    if (name !== "." && name !== "..") copy(`${from}/${name}`, path.join(to, name));
  }
}
