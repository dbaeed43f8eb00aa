// What can be undone: everything but single letters, which the fields undo themselves.

const MOST = 200;

export class History {
  constructor({ snapshot, restore, drawn }) {
    Object.assign(this, { snapshot, restore, drawn, before: [] });
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== "z") return;
      const field = event.target.closest?.("textarea, input[type=text]");
      if (field && field.value !== field.dataset.set) return; // the field undoes what was typed there
      event.preventDefault();
      this.undo();
    });
  }

  remember() {
    this.before.push(this.snapshot());
    if (this.before.length > MOST) this.before.shift();
    this.drawn();
  }

  undo() {
    const last = this.before.pop();
    if (last) this.restore(last);
    this.drawn();
  }
}
