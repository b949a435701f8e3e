import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { launchBrowser } from "../launchBrowser.ts";
import { findOldPictures, takePictures } from "./readmePictures.ts";

test("a picture in the README is outdated once its page has changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pictures-"));
  const before = process.cwd();
  process.chdir(folder);
  try {
    const source = "<!doctype html><title>Page</title><p>A page.</p>";
    await writeFile("page.html", source);
    const url = pathToFileURL("page.html").href;
    const pictures = ["one", "two"].map((name) => ({
      name,
      url,
      source,
      width: 320,
      prepare: () => Promise.resolve(),
    }));
    expect(await findOldPictures(pictures)).toEqual(["one", "two"]);
    await using browser = await launchBrowser();
    const [record, ...written] = await takePictures(browser, pictures);
    const names = ["one-light", "two-light", "one-dark", "two-dark"];
    expect(record).toBe(".github/pictures/digests.json");
    expect(written).toEqual(names.map((name) => `.github/pictures/${name}.webp`));
    for (const path of written) {
      const picture = await readFile(path);
      expect([picture.toString("latin1", 0, 4), picture.toString("latin1", 8, 12)]).toEqual(["RIFF", "WEBP"]);
    }
    expect(await findOldPictures(pictures)).toEqual([]);
    const changed = pictures.map((picture) => (picture.name === "two" ? { ...picture, source: "another" } : picture));
    expect(await findOldPictures(changed)).toEqual(["two"]);
    expect(await takePictures(browser, changed)).toEqual([
      record,
      ".github/pictures/two-light.webp",
      ".github/pictures/two-dark.webp",
    ]);
  } finally {
    process.chdir(before);
    await rm(folder, { recursive: true });
  }
});
