internal import LuaBindings
internal import Modeling
internal import ObjectGraph

/// What a time in which nothing is kept would have changed.
///
///     + Quake/t1 { code = "us9", magnitude = 5.1 }
///     ~ Quake us2: magnitude 4.1 → 4.2
///     - Quake/3
///     ~ 12 rows by batch requests or SQL
///     nothing of this was kept
final class DryRun {
  private let engine: Engine
  private let diffText: DiffText
  private let note: (String) -> String
  private var lines = ""
  /// How many rows had been written before, and by the saves that are in `lines`.
  private var accounted: Int

  init(_ engine: Engine, _ diffText: DiffText) {
    self.engine = engine
    self.diffText = diffText
    note = { diffText.style(.note, $0) }
    accounted = engine.changeCount
  }

  /// Notes what a save will write; returns what is to be called when it has.
  func willSave(_ diff: ContextDiff) -> () -> Void {
    let text = diffText.text(diff)
    let before = engine.changeCount
    return { [self] in
      lines += text
      accounted += engine.changeCount - before
    }
  }

  /// Takes what was written so far for nothing: a copy of the store was made and migrated.
  func beginAgain() { accounted = engine.changeCount }

  /// All changes so far, and what becomes of them.
  func text(isOver: Bool) -> String {
    let others = engine.changeCount - accounted
    var text = lines
    if others > 0 {
      text +=
        diffText.style(
          .changed, "~ \(Quantity.count(others, "row")) by batch requests or SQL") + "\n"
    }
    if text.isEmpty { return note(isOver ? "nothing would change" : "nothing has changed yet") + "\n" }
    return text + note(isOver ? "nothing of this was kept" : "not kept unless you say .dryrun keep") + "\n"
  }
}

extension EngineSession {
  /// From now on what is written is listed, to be shown at the end.
  func beginDryRun() {
    let dryRun = DryRun(engine, DiffText(style: surroundings.outputStyle, charset: surroundings.charset))
    self.dryRun = dryRun
    engine.willSave = { [unowned self] diff in
      let done = dryRun.willSave(diff)
      return { [unowned self] in
        done()
        guard isAtPrompt else { return }
        surroundings.say(surroundings.messageStyle(.note, "saved for this dry run only") + "\n")
      }
    }
  }

  /// `.dryrun [on | off | keep]`
  var dryRunCommand: Command {
    Command(
      name: "dryrun", arguments: "[on|off|keep]",
      summary: "try changes, then take them back or keep them",
      candidates: { ["on", "off", "keep"].map { Completions.Candidate($0) } },
      inSandbox: .refused(because: "it could keep what --dry-run takes back"),
      run: { [unowned self] (invocation) throws(CommandFailure) in
        let words = ["on", "off", "keep"]
        switch try invocation.optionalArgument() {
        case nil: printText(dryRun?.text(isOver: false) ?? ".dryrun off\n")
        case "on": try startTrying()
        case "off": try stopTrying(keeping: false)
        case "keep": try stopTrying(keeping: true)
        case let other?: throw .invalidArgument(other, expected: words, nearest: nil)
        }
      })
  }

  private func startTrying() throws(CommandFailure) {
    guard dryRun == nil else { return }
    try perform { try engine.store?.beginDryRun() }
    beginDryRun()
  }

  private func stopTrying(keeping: Bool) throws(CommandFailure) {
    guard let dryRun else { return }
    if !keeping { printText(dryRun.text(isOver: true)) }
    try perform {
      try engine.store?.endDryRun(keeping: keeping)
      if !keeping {
        engine.rollback()
        try engine.didWritePastContexts()
      }
    }
    engine.willSave = nil
    self.dryRun = nil
  }
}
