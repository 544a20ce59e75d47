// Files are saved by the reader's own browser; a PNG is painted by it too, from the SVG.

const SCALE = 2; // pixels of a PNG for each of its picture

/** Save what Python has made; a PNG comes as the SVG to be painted. Gives the file's name. */
async function saveFile({ name, type, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const content = type === "image/png" ? await painted(new TextDecoder().decode(bytes)) : new Blob([bytes], { type });
  return save(content, name);
}

/** The SVG as a PNG, twice as large. */
async function painted(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * image.width, SCALE * image.height];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!png) throw new Error("the picture is too large for this browser.");
  return png;
}

function save(content, name) {
  const url = URL.createObjectURL(content);
  const link = element("a", "", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // some browsers begin to read late
  return name;
}
