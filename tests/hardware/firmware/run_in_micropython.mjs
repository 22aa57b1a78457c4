// Runs a program under MicroPython, with the box's folder beside it:
//   node run_in_micropython.mjs PACKAGE_FOLDER FIRMWARE_FOLDER PROGRAM HEAP_KIB
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , home, firmware, program, heap] = process.argv;
const { loadMicroPython } = await import(pathToFileURL(path.join(home, "micropython.mjs")));
const python = await loadMicroPython({
  heapsize: Number(heap) * 1024,
  stdout: (line) => console.log(line),
  linebuffer: true,
});
python.FS.mkdir("/hardware");
python.FS.mkdir("/hardware/firmware");
for (const name of fs.readdirSync(firmware)) {
  if (name.endsWith(".py")) {
    python.FS.writeFile(`/hardware/firmware/${name}`, fs.readFileSync(path.join(firmware, name)));
  }
}
python.runPython("import sys\nsys.path.append('/')");
python.runPython(fs.readFileSync(program, "utf-8"));
