// The page of explain over a file that is opened, changed, compared and saved here. Nothing leaves it.
{
  const byId = (id) => document.getElementById(id);
  const heading = document.querySelector("h1");
  heading.insertAdjacentHTML("afterend", `<span class="files">
    <label>open <input type="file" id="open"></label>
    <label>as <select id="format"><option value="">what it is</option><option value="godot-resource">Godot scene</option><option value="godot-variant">Godot</option>
      <option value="o3de-json">O3DE</option><option value="kiwi-pclass">PropertyClass</option>
      <option value="resonite-brson">Resonite</option><option value="zeze-serialize">Zeze</option></select></label>
    <label title="type lists of PropertyClass, or the solution of Zeze">types <input type="file" id="types" multiple></label>
    <label hidden>bean <input type="text" id="bean" autocomplete="off" spellcheck="false"></label>
    <label title="of an encrypted file">password <input type="password" id="password" autocomplete="off"></label>
    <label>compare with <input type="file" id="compare" disabled></label>
    <button id="save" title="Ctrl S" disabled>save</button></span>`);
  document.body.insertAdjacentHTML("beforeend", `<dialog id="differences" aria-label="differences">
    <form method="dialog"><button>close</button></form><iframe sandbox title="differences"></iframe></dialog>`);
  byId("tree").innerHTML = `<p class="drop">Drop a file here, or two to compare them.<br>
    Nothing is uploaded: what opens them is in this page.</p>`;

  let gamewire, name = "", bytes = null, isChanged = false, types = [], solution;

  const settings = () => ({
    name, types, solution,
    format: byId("format").value || undefined,
    password: byId("password").value || undefined,
    bean: solution && byId("bean").value || undefined,
  });
  const say = (error) => {
    const note = document.createElement("p");
    note.className = "note wrong";
    note.textContent = error.message;
    byId("notes").replaceChildren(note);
    byId("said").textContent = error.message;
    askFor(error.hint?.name);
  };
  const askFor = (hint) => /^(other_)?secret$/.test(hint ?? "") && byId("password").focus();
  const attempt = async (what) => {
    try {
      await what();
    } catch (error) {
      say(error);
    }
  };

  const host = {
    text(path) {
      const found = gamewire.get(bytes, path, settings());
      if (found.length !== 1) throw new Error(`${path} is ${found.length} values`);
      return found[0].text;
    },
    set(path, text) {
      bytes = gamewire.set(bytes, { [path]: text }, settings());
      isChanged = true;
      show(path);
    },
  };
  const show = (changed) => {
    const { data, hint } = JSON.parse(gamewire.explainAs("data", bytes, settings()));
    start(data, host, changed);
    heading.textContent = name;
    document.title = (isChanged ? "• " : "") + name;
    byId("save").disabled = byId("compare").disabled = false;
    askFor(hint);
  };
  const read = async (file) => new Uint8Array(await file.arrayBuffer());
  const open = (file) => attempt(async () => {
    if (isChanged && !confirm(`${name} has changes that are not saved. Open ${file.name}?`)) return;
    [name, bytes, isChanged] = [file.name, await read(file), false];
    history.replaceState(null, "", location.pathname + location.search);
    byId("tree").focus();
    show();
  });
  const compare = (file) => attempt(async () => {
    const page = gamewire.diffPage(bytes, await read(file), [name, file.name], settings());
    byId("differences").querySelector("iframe").srcdoc = page;
    byId("differences").showModal();
  });
  const again = () => bytes && attempt(show);

  const on = (id, kind, then) => byId(id).addEventListener(kind, then);
  on("open", "change", ({ target }) => target.files[0] && open(target.files[0]));
  on("compare", "change", ({ target }) => target.files[0] && compare(target.files[0]));
  on("types", "change", ({ target }) => attempt(async () => {
    const all = await Promise.all([...target.files].map(read));
    const isSolution = (own) => new TextDecoder().decode(own.subarray(0, 4096)).includes("<solution");
    types = all.filter((own) => !isSolution(own));
    solution = all.find(isSolution);
    byId("bean").parentElement.hidden = !solution;
    again();
  }));
  for (const id of ["format", "bean", "password"]) on(id, "change", () => again());
  on("save", "click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    isChanged = false;
    document.title = name;
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
    event.preventDefault();
    byId("save").click();
  });
  window.addEventListener("beforeunload", (event) => isChanged && event.preventDefault());
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  });
  document.addEventListener("dragleave", () => document.body.classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    document.body.classList.remove("over");
    if (event.target.type === "file") return;
    event.preventDefault();
    const [first, second] = event.dataTransfer.files;
    if (first) await open(first);
    if (second) await compare(second);
  });

  unpacked(byId("data").textContent).arrayBuffer().then(async (own) => {
    gamewire = await Gamewire.load(own);
    document.body.dataset.ready = true;
  });
}
