extension PageScript {
  /// The one stream of events that the tabs of a browser share.
  static let events = #"""
    // One tab of the browser holds the stream, and passes on what comes.

    export const byID = (id) => document.getElementById(id);

    const channel = new BroadcastChannel("perilune");
    export const listeners = new Set();
    const tell = (message) => { for (const listener of listeners) listener(message); };
    channel.onmessage = (event) => tell(event.data);
    const publish = (message) => { channel.postMessage(message); tell(message); };

    function openStream() {
      return new Promise(() => {
        const stream = new EventSource("/-/events");
        stream.addEventListener("rows", (event) => publish({ kind: "rows", ...JSON.parse(event.data) }));
        stream.addEventListener("changes", () => publish({ kind: "changes" }));
        stream.addEventListener("end", () => { stream.close(); publish({ kind: "end" }); });
        // What happened while there was no stream is read by reading again.
        stream.onopen = () => publish({ kind: "open" });
        stream.onerror = () => publish({ kind: "lost" });
      });
    }
    navigator.locks.request("perilune-events", openStream);

    listeners.add(({ kind }) => {
      const link = byID("link");
      if (!link) return;
      const words = { end: "perilune has ended", lost: "not connected", open: "" };
      if (kind in words) { link.textContent = words[kind]; link.classList.toggle("off", kind !== "open"); }
    });

    export async function load(address) {
      const response = await fetch(address);
      if (!response.ok) throw new Error(response.statusText);
      return new DOMParser().parseFromString(await response.text(), "text/html");
    }

    """#
}
