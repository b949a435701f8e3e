import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchBrowser } from "../../scripts/command/launchBrowser.ts";
import { arePicturesCurrent, takePictures } from "./readmePictures.ts";

test("the README's pictures are old once the page is another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pictures-"));
  const before = process.cwd();
  process.chdir(folder);
  try {
    await writeFile("page.html", "<!doctype html><title>Page</title><p>A page.</p>");
    expect(await arePicturesCurrent(folder, "page.html")).toBe(false);
    await using browser = await launchBrowser();
    const written = await takePictures(browser, folder, "page.html");
    expect(written).toEqual(["docs-pictures.json", "docs-light.webp", "docs-dark.webp"]);
    for (const path of written.slice(1)) {
      const picture = await readFile(join(".github", path));
      expect([picture.toString("latin1", 0, 4), picture.toString("latin1", 8, 12)]).toEqual(["RIFF", "WEBP"]);
    }
    expect(await arePicturesCurrent(folder, "page.html")).toBe(true);
    await writeFile("page.html", "<!doctype html><title>Page</title><p>Another page.</p>");
    expect(await arePicturesCurrent(folder, "page.html")).toBe(false);
  } finally {
    process.chdir(before);
    await rm(folder, { recursive: true });
  }
});
