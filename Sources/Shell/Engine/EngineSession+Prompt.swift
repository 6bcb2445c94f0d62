internal import Modeling
internal import Presentation
internal import Session

extension EngineSession {
  /// The prompt: the store, its access mode, and the number of unsaved changes.
  ///
  ///     quakes>       quakes*3>       quakes:ro>       quakes:dry*1>       quakes Quake us1>
  var prompt: String { layout.style(.prompt, promptText + ">") + " " }

  private var promptText: String {
    let count = engine.stores.unsavedChangeCount
    var text = session.parts.title.name
    if let state = session.parts.title.state { text += ":" + state }
    if count > 0 { text += "*\(Quantity.grouped(count))" }
    if let label = engine.scopes.label { text += " " + DisplayText(label, in: 24, layout.charset).text }
    return text
  }

  /// The continuation prompt, as wide as the first.
  func continuationPrompt(line: Int) -> String {
    let width = promptText.terminalWidth
    let number = String(line)
    let space = String(repeating: " ", count: max(width - number.count, 0))
    return space + layout.style(.note, number + ">") + " "
  }
}
